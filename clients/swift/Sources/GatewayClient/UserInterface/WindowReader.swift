#if canImport(SwiftUI)
    import SwiftUI

    #if canImport(AuthenticationServices) && canImport(CryptoKit) && (os(iOS) || os(visionOS))
        import AuthenticationServices
        import UIKit

        /// Reports the window of a view: the system's dialogues appear over it.
        struct WindowReader: UIViewRepresentable {
            let found: @MainActor (UIWindow) -> Void

            func makeUIView(context: Context) -> WindowView {
                let view = WindowView()
                view.found = found
                view.isUserInteractionEnabled = false
                return view
            }

            func updateUIView(_ view: WindowView, context: Context) {}

            final class WindowView: UIView {
                var found: (@MainActor (UIWindow) -> Void)?

                override func didMoveToWindow() {
                    super.didMoveToWindow()
                    guard let window else { return }
                    let report = found
                    // Not within the update of the view tree.
                    Task { @MainActor in report?(window) }
                }
            }
        }
    #elseif canImport(AuthenticationServices) && canImport(CryptoKit) && os(macOS)
        import AppKit
        import AuthenticationServices

        /// Reports the window of a view: the system's dialogues appear over it.
        struct WindowReader: NSViewRepresentable {
            let found: @MainActor (NSWindow) -> Void

            func makeNSView(context: Context) -> WindowView {
                let view = WindowView()
                view.found = found
                return view
            }

            func updateNSView(_ view: WindowView, context: Context) {}

            final class WindowView: NSView {
                var found: (@MainActor (NSWindow) -> Void)?

                override func viewDidMoveToWindow() {
                    super.viewDidMoveToWindow()
                    guard let window else { return }
                    let report = found
                    // Not within the update of the view tree.
                    Task { @MainActor in report?(window) }
                }
            }
        }
    #else
        /// Systems without windows have none of the dialogues.
        struct WindowReader: View {
            let found: @MainActor (Int) -> Void

            var body: some View { EmptyView() }
        }
    #endif

    extension Dialogues {
        #if canImport(AuthenticationServices) && canImport(CryptoKit) && (os(iOS) || os(macOS) || os(visionOS))
            /// The system's dialogues over a window.
            static func system(anchor: ASPresentationAnchor, redirectURI: String?) -> Dialogues {
                let system = SystemDialogues(anchor: anchor)
                let browser = redirectURI.map { Browser(opener: system, redirectURI: $0, hasher: CryptoKitHasher()) }
                return Dialogues(passkeys: system, apple: system, browser: browser)
            }
        #else
            static func system(anchor: Int, redirectURI: String?) -> Dialogues { Dialogues() }
        #endif
    }
#endif
