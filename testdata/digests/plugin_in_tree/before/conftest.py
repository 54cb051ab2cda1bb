pytest_plugins = ['plug']
