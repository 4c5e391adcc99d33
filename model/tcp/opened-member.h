// SPDX-License-Identifier: GPL-2.0-only

#ifndef OPENED_MEMBER_H
#define OPENED_MEMBER_H

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief Gives a private member of a class of ns-3 away, where ns-3 has no other way.
 *
 * An explicit instantiation may name it (C++ standard, [temp.spec.general]). Used as
 * @code
 * struct SizeOf { using Type = uint32_t TcpRxBuffer::*; friend Type Open(SizeOf); };
 * template struct OpenedMember<SizeOf, &TcpRxBuffer::m_size>;
 * buffer.*Open(SizeOf()) = 1;
 * @endcode
 *
 * @tparam Tag names the member and its type
 * @tparam Member the member
 */
template <typename Tag, typename Tag::Type Member>
struct OpenedMember
{
    /**
     * @brief Get the member.
     * @return a pointer to it
     */
    friend typename Tag::Type Open(Tag)
    {
        return Member;
    }
};

} // namespace ns3::lfn

#endif /* OPENED_MEMBER_H */
