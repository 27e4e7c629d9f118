import Foundation
import Kernel
import TestSupport
import Testing

@testable import Pictures

@Suite("The picture worker process")
struct WorkerTests {
    private func worker(_ path: String, _ arguments: String..., timeout: Duration = .seconds(180)) -> PictureWorker {
        PictureWorker(executable: path, arguments: arguments, timeout: timeout)
    }

    private func photo() throws -> [UInt8] { try TestPictures.quartersFile(.jpeg, width: 800, height: 600) }

    @Test(
        "The worker returns the decoded picture",
        arguments: [TestPictures.Format.jpeg, .png, .webp, .heic])
    func renders(format: TestPictures.Format) async throws {
        let file = try TestPictures.quartersFile(format, width: 800, height: 600)
        let picture = try await WorkerExecutable.worker().render(file)
        #expect(picture == (try PictureDecoder.decode(file)))
    }

    @Test("The worker returns the decoder's errors")
    func refuses() async throws {
        let worker = try WorkerExecutable.worker()
        let cut = Array(try photo().dropLast(1000))
        await #expect(throws: PictureError.damaged) { try await worker.render(cut) }
        let bomb = try TestPictures.blackPNG(width: 20_000, height: 20_000)
        await #expect(throws: PictureError.tooManyPixels) { try await worker.render(bomb) }
        await #expect(throws: PictureError.notAPicture) { try await worker.render(Array("text".utf8)) }
    }

    @Test("Pictures at the limits of pixels fit into the worker's memory and time limits")
    func largestPictures() async throws {
        let worker = try WorkerExecutable.worker()
        let photo = try await worker.render(try JPEGTests.plainFile(width: 16_320, height: 12_240))
        #expect(photo.width == 16_320 && photo.height == 12_240)
        let whole = try await worker.render(try TestPictures.blackPNG(width: 13_000, height: 5_000))
        #expect(whole.width == 13_000 && whole.height == 5_000)
    }

    @Test("A file that needs more memory than the worker has is refused as too large, not as damaged")
    func tooMuchMemory() async throws {
        // Progressive, 15,800 by 15,800 pixels, each colour for each pixel: libjpeg keeps all coefficients.
        var file = try JPEGTests.file(isProgressive: true)
        let frame = try #require((0..<file.count - 1).first { file[$0] == 0xff && file[$0 + 1] == 0xc2 })
        file.replaceSubrange(frame + 5..<frame + 9, with: [0x3d, 0xb8, 0x3d, 0xb8])
        file[frame + 11] = 0x11
        await #expect(throws: PictureError.tooMuchMemory) { try await WorkerExecutable.worker().render(file) }
    }

    @Test("49 megapixels fit into the worker's memory and time limits")
    func largePhoto() async throws {
        let image = try TestPictures.quarters(width: 7_000, height: 7_000)
        let file = try TestPictures.file(image, .jpeg)
        let picture = try await WorkerExecutable.worker().render(file)
        #expect(picture.width == 7_000 && picture.height == 7_000)
        #expect(try Pixels(jpeg: try #require(picture.files[.large])).corners == ["red", "green", "blue", "white"])
    }

    @Test("Before reading a picture the worker restricts memory, time, files, privileges and system calls")
    func limits() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try WorkerExecutable.path())
        process.arguments = [PictureWorker.argument]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // More than a pipe's buffer: after this write the process has begun to read.
        try input.fileHandleForWriting.write(contentsOf: Data(repeating: 0xff, count: 1_000_000))
        let folder = "/proc/\(process.processIdentifier)"
        let limits = try String(contentsOfFile: folder + "/limits", encoding: .utf8)
        let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
        func limit(_ name: String) throws -> [Substring] {
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
            return Array(line.dropFirst(name.count).split(separator: " ").prefix(2))
        }
        #expect(try limit("Max address space") == ["\(Limits.pictureMemoryBytes)", "\(Limits.pictureMemoryBytes)"])
        #expect(try limit("Max cpu time") == ["\(Limits.pictureSeconds)", "\(Limits.pictureSeconds)"])
        #expect(try limit("Max open files") == ["3", "3"])
        #expect(try limit("Max file size") == ["0", "0"])
        #expect(try limit("Max core file size") == ["0", "0"])
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("Seccomp:\t2"))
        try input.fileHandleForWriting.close()
        let answer = try #require(try output.fileHandleForReading.readToEnd())
        #expect(WorkerResponse(Array(answer)) == .refused(.notAPicture))
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("The worker is killed after its timeout")
    func timeout() async throws {
        let folder = try TemporaryFolder()
        let note = folder.file("pid")
        let worker = worker("/bin/sh", "-c", "echo $$ > \(note); exec sleep 600", timeout: .milliseconds(500))
        let large = try photo() + [UInt8](repeating: 0, count: 5_000_000)
        await #expect(throws: PictureWorker.Failure.timedOut) { try await worker.render(large) }
        let text = try String(contentsOfFile: note, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let identifier = try #require(Int32(text))
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
    }

    @Test("The worker is killed when the request is cancelled")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.file("started")
        #expect(mkfifo(fifo, 0o600) == 0)
        let worker = worker("/bin/sh", "-c", "echo $$ > \(fifo); exec sleep 600")
        let picture = try photo()
        let task = Task { try await worker.render(picture) }
        // Opening blocks until the process has opened its end.
        let text = try await Task.detached {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: fifo))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }.value
        let identifier = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(kill(identifier, 0) == -1 && errno == ESRCH)
    }

    @Test("One person's pictures are decoded one after another; another person's don't wait", .timeLimit(.minutes(1)))
    func onePerPerson() async throws {
        let folder = try TemporaryFolder()
        let started = folder.file("started")
        let worker = worker("/bin/sh", "-c", "tail -c 3 >> \(started); exec sleep 600")
        let picture = try photo()
        func render(of person: String) -> Task<Void, any Error> {
            Task { _ = try await worker.render(picture + Array(person.utf8), for: person) }
        }
        let mia = [render(of: "mia"), render(of: "mia")]
        while worker.limiter.waiting < 1 { await Task.yield() }
        let ben = render(of: "ben")
        var people = ""
        while !people.contains("ben") {
            await Task.yield()
            people = (try? String(contentsOfFile: started, encoding: .utf8)) ?? ""
        }
        #expect(worker.limiter.waiting == 1)
        for task in mia + [ben] { task.cancel() }
        for task in mia + [ben] {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("The waiting pictures of four people leave room in the queue")
    func shareOfQueue() { #expect(Limits.pictureQueuePerPerson * 4 < Limits.pictureQueue) }

    struct Impostor: CustomTestStringConvertible {
        let script: String
        var testDescription: String { script }
    }

    @Test(
        "A worker that crashes or responds with nonsense is an error",
        arguments: [
            "exit 1", "exit 0", "kill -SEGV $$", "cat", "printf HWP1; exit 0", "printf 'HWP1\\011'; exit 0",
            "cat > /dev/null; printf 'HWP1\\004'; exit 1", "exec cat /dev/zero",
        ].map(Impostor.init)
    )
    func nonsense(impostor: Impostor) async throws {
        let worker = worker("/bin/sh", "-c", impostor.script)
        // More than a pipe's buffer, so some of it stays unread.
        let large = try photo() + [UInt8](repeating: 0, count: 5_000_000)
        let failure = await #expect(throws: PictureWorker.Failure.self) { try await worker.render(large) }
        guard case .died = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(
        "A worker that can't start isn't reported as a damaged picture",
        arguments: ["/nowhere/homeward", "/bin/sh"]
    )
    func notStarted(path: String) async throws {
        let failure = await #expect(throws: PictureWorker.Failure.self) {
            try await worker(path, "-c", "exit 70").render(try photo())
        }
        guard case .notStarted = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("Responses can be parsed; one byte more or less makes them invalid")
    func answerRoundTrip() throws {
        let rendered = try PictureDecoder.decode(try photo())
        for answer in [WorkerResponse.rendered(rendered), .refused(.damaged), .refused(.tooLarge)] {
            #expect(WorkerResponse(answer.bytes) == answer)
            #expect(WorkerResponse(answer.bytes + [0]) == nil)
            #expect(WorkerResponse(Array(answer.bytes.dropLast())) == nil)
        }
    }
}
