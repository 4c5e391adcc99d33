// SPDX-License-Identifier: GPL-2.0-only

// The stand-alone door's test runner: inside an ns-3 tree, ns-3's own runner loads the suites.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
