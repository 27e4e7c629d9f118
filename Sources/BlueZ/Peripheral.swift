import Foundation
import Glibc
import Kernel
package import Logging
import Synchronization

/// A Bluetooth LE peripheral through BlueZ, on a thread of its own.
///
/// Without bus, bluetoothd, adapter or power it waits and recovers automatically; it reports its state to
/// ``PeripheralDelegate/happened(_:)``.
package final class Peripheral: Sendable {
    enum Job: Sendable {
        case advertise(Advertisement?)
        case notify(value: [UInt8], characteristic: String)
        case stop
    }

    private let services: [GATTService]
    private let adapter: String?
    private let delegate: any PeripheralDelegate
    private let logger: Logger
    private let jobs: PeripheralJobQueue

    /// Creates a peripheral that is not advertised yet.
    /// - Parameter adapter: the adapter's name, like `hci0`; `nil` uses the first that supports the peripheral role.
    package init(
        services: [GATTService], adapter: String?, delegate: any PeripheralDelegate, logger: Logger
    ) throws(BusError) {
        self.services = services
        self.adapter = adapter
        self.delegate = delegate
        self.logger = logger
        jobs = try PeripheralJobQueue()
    }

    /// Starts the thread. Call it once.
    package func start() {
        let thread = Thread { [services, adapter, delegate, logger, jobs] in
            let loop = PeripheralLoop(
                services: services, adapter: adapter, delegate: delegate, logger: logger, jobs: jobs
            )
            loop.run()
        }
        thread.name = "bluetooth"
        thread.start()
    }

    /// Stops the thread; closing the connection removes all registrations.
    package func stop() { jobs.add(.stop) }

    /// Changes the advertisement; `nil` stops advertising.
    package func advertise(_ advertisement: Advertisement?) { jobs.add(.advertise(advertisement)) }

    /// Notifies subscribers of a new value. The value must fit into one packet, otherwise BlueZ truncates it.
    package func notify(_ value: [UInt8], from characteristic: String) {
        jobs.add(.notify(value: value, characteristic: characteristic))
    }
}

/// Work for the peripheral's thread, and the pipe that wakes it.
final class PeripheralJobQueue: Sendable {
    let wakeDescriptor: Int32
    private let wakingDescriptor: Int32
    private let jobs = Mutex<[Peripheral.Job]>([])

    init() throws(BusError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(operation: "pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (wakeDescriptor, wakingDescriptor) = (ends[0], ends[1])
    }

    deinit {
        close(wakeDescriptor)
        close(wakingDescriptor)
    }

    func add(_ job: Peripheral.Job) {
        jobs.withLock { jobs in
            // A blocked thread must not exhaust the memory.
            if jobs.count >= Limits.bluetoothQueue { jobs.removeFirst() }
            jobs.append(job)
        }
        var byte: UInt8 = 1
        _ = Glibc.write(wakingDescriptor, &byte, 1)
    }

    func takeAll() -> [Peripheral.Job] {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while Glibc.read(wakeDescriptor, &bytes, bytes.count) > 0 {}
        return jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }
}
