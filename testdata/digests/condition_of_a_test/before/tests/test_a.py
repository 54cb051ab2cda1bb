import sys

if sys.version_info > (3,):

    def test_one():
        assert True


def test_two():
    assert True
