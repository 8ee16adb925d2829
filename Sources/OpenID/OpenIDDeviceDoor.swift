import Authorization
import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Pages
import Sessions
import Vocabulary

/// What a device without a browser calls (RFC 8628 §3.1).
///
/// Its polls come to the token endpoint.
struct OpenIDDeviceDoor: OAuthDoor {
    let log: CallLog
    let authentication: ClientAuthentication
    let directory: SessionDirectory
    let clients: ClientRegistry
    let devices: DeviceRequests
    /// The public address.
    let issuer: String

    func mount(on router: Router<GatewayContext>) {
        router.post("v1/device_authorization", use: begin)
        router.get("device/qr.svg", use: picture)
    }

    /// `POST /v1/device_authorization`: form `scope`?, `resource`…, and the client's authentication as at the token endpoint.
    @Sendable func begin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("device_authorization", request, context) { call in
            let form = try await FormBody.read(request, allowsRepeated: true)
            let client = try await authentication.client(request, form, &call, by: .kind)
            let asked = try DeviceAuthorization(
                AuthorizationParameters(form.fields), of: client, among: clients.resources)
            let codes = try await devices.begin(asked, caller: call.caller, at: directory.now)
            return .json(
                [
                    "device_code": .string(codes.device), "user_code": .string(codes.user.text),
                    "verification_uri": .string(issuer + OpenIDDevicePagesDoor.path),
                    "verification_uri_complete": .string(address(OpenIDDevicePagesDoor.path, codes.user)),
                    "verification_qr_uri": .string(address("/device/qr.svg", codes.user)),
                    "expires_in": .integer(DeviceRequests.life), "interval": .integer(DeviceRequests.interval),
                ])
        }
    }

    /// `GET /device/qr.svg`: `verification_uri_complete` as a QR code, for a device that can show a picture but not make one.
    ///
    /// It shows every well-formed code, so it tells nobody which ones exist.
    @Sendable func picture(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let query = try FormBody(Array((request.uri.query ?? "").utf8))
        guard let code = UserCode(try query.required("user_code")) else {
            throw Problem.invalidMember("/user_code", "malformed")
        }
        let picture = try QRCode.svg(address(OpenIDDevicePagesDoor.path, code), title: code.text)
        return Response(
            status: .ok, headers: [.contentType: "image/svg+xml", .contentSecurityPolicy: "default-src 'none'"],
            body: .init(byteBuffer: ByteBuffer(string: picture)))
    }

    private func address(_ path: String, _ code: UserCode) -> String {
        issuer + path.addingQuery([("user_code", code.text)])
    }
}
