import TestSupport
import Testing

@Suite struct GCSystemCallTests {}
