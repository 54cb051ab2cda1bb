import sys

if sys.version_info > (3,):

    def test_one():
        assert True

else:

    def test_one():
        assert False


def test_two():
    assert True
