import Foundation
import Glibc

/// The file that a command writes for its operator; nobody else may read it.
///
/// A regular file that is there stays as it is: a mistyped path must not cost what it names. Anything else, such as
/// `/dev/null` or a pipe, is written to and never replaced.
enum OutputFile {
    /// Why a path isn't written to, and what to do about it.
    struct Refusal: Error, Equatable {
        let text: String
    }

    /// Makes the file, or opens what is no regular one.
    ///
    /// - Parameter mayEmpty: whether the regular file at a path is one of ours from a run before, to be written anew.
    static func handle(
        for path: String, mayEmpty: (String) -> Bool = { _ in false }
    ) throws(Refusal) -> FileHandle {
        if let new = make(path) { return new }
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw Refusal(text: "\(path) can't be written: name a new file in a folder that you may write to.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard isRegular(descriptor) else { return handle }
        guard mayEmpty(path), ftruncate(descriptor, 0) == 0 else {
            throw Refusal(text: "\(path) is there already: name a new file, or move that one away.")
        }
        return handle
    }

    /// A new file; nil where there is something already, a link that leads nowhere included, or nothing can be made.
    static func make(_ path: String) -> FileHandle? {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// What can't be looked at counts as regular: it is left alone.
    private static func isRegular(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
    }
}
