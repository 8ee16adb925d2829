// The compiler attributes `stat` to the C module that it loads first: this one or Glibc.
import CDispatch
import Foundation
import Glibc

/// An output file of a command, readable by its owner only.
///
/// An existing regular file is never overwritten, because the path may be mistyped. Other files, such as `/dev/null`
/// or a pipe, are written to and never replaced.
enum OutputFile {
    /// A refused path, with the remedy.
    struct Refusal: Error, Equatable {
        let text: String
    }

    /// Creates the file, or opens an existing special file.
    ///
    /// - Parameter mayEmpty: whether the regular file at a path is our output of an earlier run, which may be replaced.
    static func handle(
        for path: String, mayEmpty: (String) -> Bool = { _ in false }
    ) throws(Refusal) -> FileHandle {
        if let new = make(path) { return new }
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw Refusal(text: "\(path) can't be written. Name a new file in a writable folder.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard isRegular(descriptor) else { return handle }
        guard mayEmpty(path), ftruncate(descriptor, 0) == 0 else {
            throw Refusal(text: "\(path) already exists. Name a new file, or move the existing one.")
        }
        return handle
    }

    /// Creates a new file.
    ///
    /// Nil if the path exists, even as a dangling link, or can't be created.
    static func make(_ path: String) -> FileHandle? {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// An unreadable path counts as regular, so it is not written to.
    private static func isRegular(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
    }
}
