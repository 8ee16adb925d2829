package import Pages

extension WebDoors {
    /// The sign-in page of an app whose settings are not stored, for a preview.
    package static func sampleLogin(
        clientName: String, providers: [(id: String, name: String)], hasNames: Bool
    ) -> any Page {
        let buttons = providers.map { ProviderButton(id: $0.id, name: $0.name, address: "#") }
        return LoginPage(
            clientName: clientName,
            nameForm: hasNames
                ? .init(
                    hidden: [], names: SignInNames([.email]), username: "", asksForPassword: false,
                    signUpAddress: "#", offersReset: true) : nil,
            ways: SignInWays(buttons, nil, usedLast: nil), problem: nil, signedInAs: nil)
    }
}
