// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-drop-reason.h"

namespace ns3::lfn
{

const char*
ToString(DropReason reason)
{
    switch (reason)
    {
    case DropReason::MALFORMED:
        return "malformed";
    case DropReason::UNKNOWN_PEER:
        return "unknown-peer";
    case DropReason::UNANNOUNCED:
        return "unannounced";
    case DropReason::DUPLICATE:
        return "duplicate";
    case DropReason::OUT_OF_RANGE:
        return "out-of-range";
    case DropReason::WRONG_LENGTH:
        return "wrong-length";
    case DropReason::BUFFER_FULL:
        return "buffer-full";
    case DropReason::UNEXPECTED:
        return "unexpected";
    case DropReason::CORRUPT:
        return "corrupt";
    case DropReason::COUNT_:
        break;
    }
    return "unknown";
}

std::ostream&
operator<<(std::ostream& os, DropReason reason)
{
    return os << ToString(reason);
}

} // namespace ns3::lfn
