import CCurl
import Testing

@testable import Outbound

/// libcurl looks for authorities in a file and in a folder; the operator's file replaces both.
@Suite(.timeLimit(.minutes(10)))
struct AuthorityFolderTests {
    private func expectOnlyBundleTrusted(
        _ mode: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ verdict: (_ port: Int, _ bundle: String?, _ folder: String) async throws -> TransferOutcome.End
    ) async throws {
        let inFolder = try await TestCertificate.make(subject: "in the folder")
        let inBundle = try await TestCertificate.make(subject: "in the bundle")
        let folder = try await inFolder.asFolder()
        try await TLSServer.with(mode, certificate: inFolder) { server in
            let trusted = try await verdict(server.port, nil, folder)
            #expect(trusted == .finished(CURLE_OK), "the folder is looked into", sourceLocation: sourceLocation)
            let refused = try await verdict(server.port, inBundle.path, folder)
            #expect(refused == .finished(CURLE_PEER_FAILED_VERIFICATION), sourceLocation: sourceLocation)
        }
        try await TLSServer.with(mode, certificate: inBundle) { server in
            let trusted = try await verdict(server.port, inBundle.path, folder)
            #expect(trusted == .finished(CURLE_OK), sourceLocation: sourceLocation)
        }
    }

    @Test("a request trusts the configured authorities and not the system's folder")
    func request() async throws {
        try await expectOnlyBundleTrusted("https") { port, bundle, folder in
            var request = HTTPRequest.get("https://127.0.0.1:\(port)/")
            (request.deadline, request.connectDeadline) = (.seconds(60), .seconds(60))
            let configuration = OutboundConfiguration(insecureAllowLocal: true, caBundle: bundle)
            return await FolderPlan(plan: try HTTPTransferPlan(request, configuration: configuration), folder: folder)
                .verdict()
        }
    }

    @Test("a mail trusts the configured authorities and not the system's folder", arguments: ["starttls", "smtps"])
    func mail(mode: String) async throws {
        try await expectOnlyBundleTrusted(mode) { port, bundle, folder in
            var relay = MailRelay(
                host: "127.0.0.1", port: port, encryption: mode == "smtps" ? .implicitTLS : .startTLS,
                timeout: .seconds(60))
            relay.caBundle = bundle
            let plan = MailTransferPlan(
                relay: relay, sender: "gateway@example.com", recipient: "ann@example.org",
                message: Array("Subject: x\r\n\r\nx\r\n".utf8))
            return await FolderPlan(plan: plan, folder: folder).verdict()
        }
    }
}
