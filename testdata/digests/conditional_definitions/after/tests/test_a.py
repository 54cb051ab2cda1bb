import sys

if sys.version_info > (3,):

    def test_one():
        assert True

else:

    def test_one():
        assert None


def test_two():
    assert True
