// SPDX-License-Identifier: GPL-2.0-only

// The test runner of the stand-alone build: inside an ns-3 tree, ns-3's own runner loads the
// suites. With --attributes it prints what the tables of doc/generated are made of instead.

#include "ns3/attribute.h"
#include "ns3/test.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <iostream>
#include <string_view>

namespace
{

/** Print the module's Attributes, a line each: class, name, type, range, default and help. */
void
PrintAttributes()
{
    for (uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const ns3::TypeId tid = ns3::TypeId::GetRegistered(i);
        if (tid.GetGroupName() != "Lfn" || tid.GetName().starts_with("ns3::lfn::test::"))
        {
            continue;
        }
        for (std::size_t j = 0; j < tid.GetAttributeN(); ++j)
        {
            const ns3::TypeId::AttributeInformation about = tid.GetAttribute(j);
            std::cout << tid.GetName() << '\t' << about.name << '\t'
                      << about.checker->GetValueTypeName() << '\t'
                      << about.checker->GetUnderlyingTypeInformation() << '\t'
                      << about.originalInitialValue->SerializeToString(about.checker) << '\t'
                      << about.help << '\n';
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc == 2 && std::string_view(argv[1]) == "--attributes")
    {
        PrintAttributes();
        return 0;
    }
    return ns3::TestRunner::Run(argc, argv);
}
