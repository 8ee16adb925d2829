import JSON
import Outbound

/// Whether the public address leads to this gateway, through TLS.
enum PublicAddressCheck {
    /// Before the first start: only that TLS works if anything answers.
    static func beforeStart(_ publicURL: String, _ transport: any HTTPTransport) -> DeploymentCheck {
        DeploymentCheck("TLS") {
            do throws(TransferError) {
                _ = try await transport.send(.get(publicURL + "/health/live"))
                return .passed("\(publicURL) answers with a valid certificate")
            } catch {
                return before(error, publicURL)
            }
        }
    }

    private static func before(_ error: TransferError, _ publicURL: String) -> DeploymentCheck.Result {
        switch error {
        case .redirectRefused, .malformedResponse, .responseTooLarge:
            .passed("\(publicURL) answers with a valid certificate")
        case .tlsFailed: .failed("the certificate of \(publicURL) is not valid", remedy: certificateRemedy)
        default:
            .warning(
                "nothing answers at \(publicURL) yet",
                remedy: "Start the proxy or the gateway, then run gateway doctor.")
        }
    }

    /// Of a running deployment: the metadata name this gateway.
    static func running(_ publicURL: String, isSecure: Bool, _ transport: any HTTPTransport) -> DeploymentCheck {
        DeploymentCheck("public address") {
            do throws(TransferError) {
                let answer = try await transport.send(.get(publicURL + "/.well-known/openid-configuration"))
                return judged(answer, publicURL, isSecure: isSecure)
            } catch {
                return failure(error, publicURL)
            }
        }
    }

    private static func judged(
        _ answer: HTTPResponse, _ publicURL: String, isSecure: Bool
    ) -> DeploymentCheck.Result {
        guard answer.status == 200, let document = try? JSON(parsing: answer.body),
            let issuer = document["issuer"]?.string
        else {
            return .failed(
                "\(publicURL) answers \(answer.status), but not as this gateway",
                remedy: "Let the proxy forward every path to the gateway.")
        }
        guard issuer == publicURL else {
            return .failed(
                "\(publicURL) is a gateway with the issuer \(issuer)",
                remedy: "Use the same PUBLIC_URL on every server.")
        }
        if isSecure, answer.header("Strict-Transport-Security") == nil {
            return .warning(
                "the proxy removes Strict-Transport-Security", remedy: "Let the proxy pass the gateway's headers on.")
        }
        return .passed("\(publicURL) is this gateway")
    }

    private static func failure(_ error: TransferError, _ publicURL: String) -> DeploymentCheck.Result {
        switch error {
        case .tlsFailed: .failed("the certificate of \(publicURL) is not valid", remedy: certificateRemedy)
        case .redirectRefused:
            .failed("\(publicURL) redirects", remedy: "Set PUBLIC_URL to the address that the redirect leads to.")
        case .resolveFailed: .failed("\(publicURL) has no address", remedy: "Add an A or AAAA record.")
        default:
            .failed(
                "nothing answers at \(publicURL)",
                remedy: "Start the gateway and its proxy, and open the port in the firewall.")
        }
    }

    private static let certificateRemedy =
        "Install a certificate for this name, with its whole chain, from an authority that browsers trust."
}
