#if canImport(SwiftUI)
    import GatewayClient
    import SampleLogic
    import SwiftUI
    import UIKit

    /// Name, address, sessions, and the changes of the account.
    struct AccountView: View {
        let model: SampleModel
        let state: SampleModel.State
        @State private var confirmsDeletion = false

        var body: some View {
            List {
                account
                if !state.recoveryCodes.isEmpty { recoveryCodes }
                Section("Sessions") {
                    ForEach(state.sessions) { row($0) }
                }
                changes
            }
            .disabled(state.isWorking)
            .refreshable { await model.perform(.load) }
        }

        @ViewBuilder private var account: some View {
            if let profile = state.profile {
                Section("Account") {
                    LabeledContent("Name", value: profile.displayName ?? "–")
                    LabeledContent("Address", value: profile.email ?? profile.phone ?? "–")
                }
                if let deletion = profile.deletion {
                    Section {
                        Text("This account will be deleted on \(deletion.dueAt, style: .date).")
                        Button("Keep my account") { perform(.keepAccount) }
                    }
                }
            }
        }

        private var recoveryCodes: some View {
            Section("Save these recovery codes") {
                ForEach(state.recoveryCodes, id: \.self) { code in
                    Text(verbatim: code).font(.body.monospaced()).textSelection(.enabled)
                }
            }
        }

        private func row(_ session: OpenSession) -> some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(verbatim: session.deviceName ?? session.provider)
                    Text(session.lastUsedAt, style: .relative).font(.footnote)
                }
                Spacer()
                if session.isCurrent { Text("This device") } else { Button("End") { perform(.end(session)) } }
            }
        }

        private var changes: some View {
            Section {
                Button("Add a passkey", action: addPasskey)
                Button("Sign out") { perform(.signOut) }
                Button("Delete account", role: .destructive) { confirmsDeletion = true }
                    .confirmationDialog(
                        "Delete your account?", isPresented: $confirmsDeletion, titleVisibility: .visible
                    ) {
                        Button("Delete account", role: .destructive) { perform(.deleteAccount) }
                    }
            }
        }

        private func addPasskey() {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            guard let window = scenes.compactMap(\.keyWindow).first else { return }
            perform(.addPasskey(SystemDialogues(anchor: window)))
        }

        private func perform(_ action: SampleModel.Action) {
            Task { await model.perform(action) }
        }
    }
#endif
