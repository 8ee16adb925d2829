#if canImport(SwiftUI)
    import Foundation
    import SwiftUI

    #if canImport(CoreImage)
        import CoreImage
    #endif
    #if canImport(UIKit)
        import UIKit
    #endif

    /// One entry of a screen, with the keyboard and the autofill of its kind.
    struct EntryField: View {
        let field: SignInScreen.Field
        @ObservedObject var observed: ObservedSignIn

        private var label: String { field.label.map { observed.text($0) } ?? field.name ?? "" }

        private var text: Binding<String> { $observed[entry: field.id] }

        private var isWrong: Bool { observed.state.problem?.field == field.id }

        var body: some View {
            entry
                .autocorrectionDisabled()
                #if !os(tvOS) && !os(watchOS)
                    .textFieldStyle(.roundedBorder)
                #endif
                #if os(iOS) || os(visionOS) || os(tvOS)
                    .textInputAutocapitalization(field.kind == .name ? .words : .never)
                    .keyboardType(keyboard)
                    .textContentType(content)
                #endif
                .overlay(RoundedRectangle(cornerRadius: 6).stroke(isWrong ? Color.red : Color.clear))
                .accessibilityLabel(Text(verbatim: label))
                .onSubmit { if let main = observed.state.screen.main { observed.perform(main.action) } }
        }

        @ViewBuilder private var entry: some View {
            switch field.kind {
            case .password, .newPassword: SecureField(label, text: text)
            default: TextField(label, text: text)
            }
        }

        #if os(iOS) || os(visionOS) || os(tvOS)
            private var keyboard: UIKeyboardType {
                switch field.kind {
                case .username, .email: .emailAddress
                case .phone: .phonePad
                case .code: .asciiCapable
                default: .default
                }
            }

            private var content: UITextContentType? {
                switch field.kind {
                case .username: .username
                case .password: .password
                case .newPassword: .newPassword
                case .code: field.id == "code" ? .oneTimeCode : nil
                case .email: .emailAddress
                case .phone: .telephoneNumber
                case .name: .name
                case .text: nil
                }
            }
        #endif
    }

    /// The QR code, the secret and a link to the app on this device.
    struct AuthenticatorView: View {
        let authenticator: SignInScreen.Authenticator
        let observed: ObservedSignIn

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                #if canImport(CoreImage)
                    if let image = QRCode.image(authenticator.uri) {
                        Image(decorative: image, scale: 1).resizable().interpolation(.none).frame(
                            width: 200, height: 200)
                    }
                #endif
                CopyableText(text: authenticator.secret)
                if let url = URL(string: authenticator.uri) {
                    Link(observed.text(.openApp), destination: url)
                }
            }
        }
    }

    /// The codes, one a line.
    struct RecoveryCodesView: View {
        let codes: [String]

        var body: some View { CopyableText(text: codes.joined(separator: "\n")) }
    }

    /// A text in fixed width that the user can select, where the system has that.
    private struct CopyableText: View {
        let text: String

        var body: some View {
            #if os(iOS) || os(macOS) || os(visionOS)
                Text(verbatim: text).font(.body.monospaced()).textSelection(.enabled)
            #else
                Text(verbatim: text).font(.body.monospaced())
            #endif
        }
    }

    #if canImport(CoreImage)
        private enum QRCode {
            /// Without the typed filters, which some platforms lack.
            static func image(_ text: String) -> CGImage? {
                let values: [String: Any] = ["inputMessage": Data(text.utf8), "inputCorrectionLevel": "M"]
                guard let image = CIFilter(name: "CIQRCodeGenerator", parameters: values)?.outputImage else {
                    return nil
                }
                return CIContext().createCGImage(image, from: image.extent)
            }
        }
    #endif
#endif
