// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-tun.h"

#if __has_include(<linux/if_tun.h>)

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/route.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace ns3::lfn
{

namespace
{

constexpr const char* CLONE_DEVICE = "/dev/net/tun";
constexpr const char* OWN_NAMESPACE = "/proc/self/ns/net";

/** @brief A descriptor that is closed in the end. */
class Descriptor
{
  public:
    /** @brief Constructor: takes the descriptor over; -1 for none. */
    explicit Descriptor(int descriptor)
        : m_descriptor(descriptor)
    {
    }

    ~Descriptor()
    {
        if (m_descriptor >= 0)
        {
            close(m_descriptor);
        }
    }

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    /** @brief Get it; -1 for none. */
    int Get() const
    {
        return m_descriptor;
    }

    /** @brief Hand it over. */
    int Release()
    {
        return std::exchange(m_descriptor, -1);
    }

  private:
    int m_descriptor; //!< -1 for none.
};

/** @brief Stay in a network namespace while the object lives. */
class Visit
{
  public:
    /** @brief Constructor: go there; nowhere when the name is empty. */
    explicit Visit(const std::string& name)
        : m_home(name.empty() ? -1 : open(OWN_NAMESPACE, O_RDONLY | O_CLOEXEC)),
          m_there(name.empty() ? -1 : open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC)),
          m_arrived(name.empty() || (m_home.Get() >= 0 && m_there.Get() >= 0 &&
                                     setns(m_there.Get(), CLONE_NEWNET) == 0))
    {
    }

    ~Visit()
    {
        if (m_arrived && m_home.Get() >= 0 && setns(m_home.Get(), CLONE_NEWNET) != 0)
        {
            return; // the one that was left is still open, so this cannot be
        }
    }

    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    /** @brief Check whether it worked. */
    bool HasArrived() const
    {
        return m_arrived;
    }

  private:
    Descriptor m_home;  //!< Namespace to go back to.
    Descriptor m_there; //!< Namespace to be in.
    bool m_arrived;     //!< It worked.
};

/** @brief Write an address in the kernel's format. */
void
PutAddress(sockaddr& to, Ipv4Address address)
{
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(address.Get());
    std::memcpy(&to, &in, sizeof(to));
}

/** @brief Say what could not be done, with the kernel's reason. */
std::string
Trouble(const std::string& what)
{
    return what + ": " + std::strerror(errno);
}

/** @brief Set the device up: address, size, queue, routes. */
std::optional<std::string>
SetUp(const Tun::Settings& settings)
{
    const std::string name = "device " + settings.device;
    const Descriptor control(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    settings.device.copy(request.ifr_name, IFNAMSIZ - 1);
    const auto ask = [&](unsigned long what) { return ioctl(control.Get(), what, &request) == 0; };

    request.ifr_mtu = settings.mtu;
    if (!ask(SIOCSIFMTU))
    {
        return Trouble(name + ", an MTU of " + std::to_string(settings.mtu));
    }
    request.ifr_qlen = static_cast<int>(settings.queue);
    if (!ask(SIOCSIFTXQLEN))
    {
        return Trouble(name + ", a queue of " + std::to_string(settings.queue));
    }
    if (settings.own)
    {
        PutAddress(request.ifr_addr, *settings.own);
        if (!ask(SIOCSIFADDR))
        {
            return Trouble(name + ", its address");
        }
    }
    if (!ask(SIOCGIFFLAGS))
    {
        return Trouble(name);
    }
    request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
    if (!ask(SIOCSIFFLAGS))
    {
        return Trouble(name + " cannot be set up");
    }
    for (const auto& address : settings.behind)
    {
        rtentry route{};
        PutAddress(route.rt_dst, address);
        PutAddress(route.rt_genmask, Ipv4Address(UINT32_MAX));
        route.rt_flags = RTF_UP | RTF_HOST;
        std::string device = settings.device;
        route.rt_dev = device.data();
        if (ioctl(control.Get(), SIOCADDRT, &route) != 0 && errno != EEXIST)
        {
            return Trouble(name + ", a route");
        }
    }
    return std::nullopt;
}

} // namespace

Tun::~Tun()
{
    Close();
}

std::optional<std::string>
Tun::Open(const Settings& settings)
{
    const Visit visit(settings.networkNamespace);
    if (!visit.HasArrived())
    {
        return Trouble("network namespace " + settings.networkNamespace) +
               ": make it with 'ip netns add " + settings.networkNamespace + "', as root";
    }
    Descriptor descriptor(open(CLONE_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC));
    if (descriptor.Get() < 0)
    {
        return Trouble(CLONE_DEVICE) +
               ": load the kernel's module tun and run as root, or give a container the device";
    }
    ifreq request{};
    settings.device.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (ioctl(descriptor.Get(), TUNSETIFF, &request) != 0)
    {
        const bool isTaken = errno == EBUSY || errno == EINVAL || errno == EEXIST;
        return Trouble("device " + settings.device) +
               (isTaken ? ": it is in use, give another name"
                        : ": run as root, or with the capability CAP_NET_ADMIN");
    }
    if (auto trouble = SetUp(settings))
    {
        return trouble;
    }
    m_descriptor = descriptor.Release();
    return std::nullopt;
}

int
Tun::GetDescriptor() const
{
    return m_descriptor;
}

bool
Tun::Write(std::span<const uint8_t> packet) const
{
    return write(m_descriptor, packet.data(), packet.size()) == static_cast<ssize_t>(packet.size());
}

void
Tun::Close()
{
    if (m_descriptor >= 0)
    {
        close(std::exchange(m_descriptor, -1));
    }
}

} // namespace ns3::lfn

#else

namespace ns3::lfn
{

Tun::~Tun() = default;

std::optional<std::string>
Tun::Open(const Settings& /* settings */)
{
    return "a real host needs a tun device of Linux: run it there";
}

int
Tun::GetDescriptor() const
{
    return -1;
}

bool
Tun::Write(std::span<const uint8_t> /* packet */) const
{
    return false;
}

void
Tun::Close()
{
}

} // namespace ns3::lfn

#endif
