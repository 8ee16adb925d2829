/// Proxies, web servers and clusters that sign people in before other software.
extension KnownSoftware {
    static let oauth2Proxy = KnownSoftware(
        "oauth2-proxy", at: "https://app.example.com/oauth2/callback", [.provesIfTold]
    ) {
        """
        # oauth2-proxy.cfg
        provider = "oidc"
        oidc_issuer_url = "\($0.issuer)"
        client_id = "\($0.clientID)"
        client_secret = "\(secret)"
        redirect_url = "https://app.example.com/oauth2/callback"
        scope = "openid profile email"
        code_challenge_method = "S256"
        email_domains = ["*"]
        # openssl rand -base64 32 | tr -- '+/' '-_'
        cookie_secret = "COOKIE_SECRET"
        """
    }

    /// The API server checks ID tokens; a plug-in of kubectl gets them.
    static let kubernetes = KnownSoftware("Kubernetes", at: "http://localhost:8000", [.isPublic, .readsIDToken]) {
        """
        # kube-apiserver
        --oidc-issuer-url=\($0.issuer)
        --oidc-client-id=\($0.clientID)
        --oidc-username-claim=email
        --oidc-username-prefix=oidc:
        --oidc-signing-algs=RS256,ES256

        # kubectl, with the plug-in kubelogin
        kubectl config set-credentials oidc \\
          --exec-api-version=client.authentication.k8s.io/v1 --exec-interactive-mode=IfAvailable \\
          --exec-command=kubectl --exec-arg=oidc-login --exec-arg=get-token \\
          --exec-arg=--oidc-issuer-url=\($0.issuer) \\
          --exec-arg=--oidc-client-id=\($0.clientID) \\
          --exec-arg=--oidc-extra-scope=email
        """
    }

    static let modAuthOpenIDC = KnownSoftware(
        "mod_auth_openidc", at: "https://app.example.com/openid/callback", [.provesIfTold]
    ) {
        """
        OIDCProviderMetadataURL \($0.metadata)
        OIDCClientID \($0.clientID)
        OIDCClientSecret \(secret)
        # A path without content of its own
        OIDCRedirectURI https://app.example.com/openid/callback
        OIDCScope "openid profile email"
        OIDCPKCEMethod S256
        OIDCCryptoPassphrase RANDOM_PASSPHRASE

        <Location />
          AuthType openid-connect
          Require valid-user
        </Location>
        """
    }
}
