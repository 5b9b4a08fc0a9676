import CachectlCLI
run()
