// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_CAPTURES_H
#define LFN_CAPTURES_H

#include "ns3/net-device.h"
#include "ns3/ptr.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Packet captures that are there whole or not at all.
 *
 * Each is written under its name with ".part" behind it and gets the name when it is closed. Those
 * of a program that ends before are removed.
 */
class Captures
{
  public:
    Captures();
    Captures(const Captures&) = delete;
    Captures& operator=(const Captures&) = delete;
    /** @brief Destructor; it closes what is open. */
    ~Captures();

    /**
     * @brief Check that captures can be written: ns-3's helper ends the program when it cannot.
     * @param prefix The beginning of their names; empty for none.
     * @return A remedy, or nothing when all is well.
     */
    static std::optional<std::string> CheckPrefix(const std::string& prefix);

    /**
     * @brief Check whether every device of the simulation can have a capture of its
     * own open at once, and raise the process's limit of open files if that is what it takes.
     *
     * ns-3 keeps all captures open to the end of the run, and ends the program when one of them
     * cannot be opened.
     *
     * @return What is wrong and what to do about it, or nothing.
     */
    static std::optional<std::string> MakeRoom();

    /**
     * @brief Capture what a device sends and receives, in "prefix-nodeN-deviceD-protocols.pcap".
     *
     * Protocols are those that the node's applications say they are, joined by "+"; at a node
     * without any, such as a router, those of all nodes; "mixed" for more than three, "ip" for
     * none. Devices of point-to-point links, CSMA and Wi-Fi are captured with the frames of the
     * link, others where IP hands packets to them and gets them; the loopback is left out. A
     * simulation whose captures can no longer be written is stopped.
     *
     * @param prefix The beginning of the name.
     * @param device The device.
     */
    void Open(const std::string& prefix, Ptr<NetDevice> device);

    /**
     * @brief Close all captures and give them their names; or remove all if one is not whole.
     * @return What is wrong and what to do about it, or nothing.
     */
    std::optional<std::string> Close();

    /** @brief Remove all captures that are not closed, for the end of the program. */
    static void RemoveParts();

  private:
    class Capture;

    std::vector<Ptr<Capture>> m_captures; //!< That are open.
};

} // namespace ns3::lfn

#endif // LFN_CAPTURES_H
