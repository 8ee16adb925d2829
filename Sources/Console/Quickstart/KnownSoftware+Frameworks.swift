/// Libraries for applications of one's own.
extension KnownSoftware {
    static let djangoAllauth = KnownSoftware(
        "django-allauth", at: "https://app.example.com/accounts/oidc/gateway/login/callback/", [.provesIfTold]
    ) {
        """
        # settings.py
        INSTALLED_APPS += ["allauth.socialaccount.providers.openid_connect"]
        SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {
                "OAUTH_PKCE_ENABLED": True,
                "APPS": [
                    {
                        "provider_id": "gateway",
                        "name": "Single sign-on",
                        "client_id": "\($0.clientID)",
                        "secret": "\(secret)",
                        "settings": {"server_url": "\($0.metadata)"},
                    },
                ],
            },
        }
        """
    }

    static let authJS = KnownSoftware("Auth.js", at: "https://app.example.com/api/auth/callback/gateway") {
        """
        // auth.ts
        import NextAuth from "next-auth"

        export const { handlers, auth, signIn, signOut } = NextAuth({
          providers: [
            {
              id: "gateway",
              name: "Single sign-on",
              type: "oidc",
              issuer: "\($0.issuer)",
              clientId: "\($0.clientID)",
              clientSecret: "\(secret)",
            },
          ],
        })
        """
    }

    static let springSecurity = KnownSoftware(
        "Spring Security", at: "https://app.example.com/login/oauth2/code/gateway", [.omitsProofKey]
    ) {
        """
        # application.yaml
        spring:
          security:
            oauth2:
              client:
                registration:
                  gateway:
                    client-id: \($0.clientID)
                    client-secret: \(secret)
                    scope: openid, profile, email
                provider:
                  gateway:
                    issuer-uri: \($0.issuer)
        """
    }
}
