internal import CachectlCLI
internal import Glibc

exit(runTool())
