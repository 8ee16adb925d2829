/// Applications with settings of their own for OpenID Connect.
extension KnownSoftware {
    static let grafana = KnownSoftware(
        "Grafana", at: "https://grafana.example.com/login/generic_oauth", [.provesIfTold]
    ) {
        """
        # grafana.ini
        [server]
        root_url = https://grafana.example.com

        [auth.generic_oauth]
        enabled = true
        name = Single sign-on
        client_id = \($0.clientID)
        client_secret = \(secret)
        scopes = openid profile email
        auth_url = \($0.issuer)/authorize
        token_url = \($0.issuer)/v1/token
        api_url = \($0.issuer)/userinfo
        use_pkce = true
        allow_sign_up = true
        """
    }

    static let gitLab = KnownSoftware(
        "GitLab", at: "https://gitlab.example.com/users/auth/openid_connect/callback", [.provesIfTold]
    ) {
        """
        # /etc/gitlab/gitlab.rb
        gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']
        gitlab_rails['omniauth_block_auto_created_users'] = false
        gitlab_rails['omniauth_providers'] = [
          {
            name: "openid_connect",
            label: "Single sign-on",
            args: {
              name: "openid_connect",
              scope: ["openid", "profile", "email"],
              response_type: "code",
              issuer: "\($0.issuer)",
              discovery: true,
              client_auth_method: "basic",
              uid_field: "sub",
              pkce: true,
              client_options: {
                identifier: "\($0.clientID)",
                secret: "\(secret)",
                redirect_uri: "https://gitlab.example.com/users/auth/openid_connect/callback"
              }
            }
          }
        ]
        """
    }

    static let nextcloud = KnownSoftware(
        "Nextcloud (user_oidc)", at: "https://nextcloud.example.com/apps/user_oidc/code", [.readsIDToken]
    ) {
        """
        sudo -u www-data php occ app:install user_oidc
        sudo -u www-data php occ user_oidc:provider gateway \\
          --clientid="\($0.clientID)" \\
          --clientsecret="\(secret)" \\
          --discoveryuri="\($0.metadata)" \\
          --scope="openid profile email" \\
          --mapping-uid=sub --mapping-display-name=name --mapping-email=email
        """
    }

    static let argoCD = KnownSoftware("Argo CD", at: "https://argocd.example.com/auth/callback", [.omitsProofKey]) {
        """
        # kubectl -n argocd patch secret argocd-secret --type merge \\
        #   -p '{"stringData": {"oidc.gateway.clientSecret": "\(secret)"}}'
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: argocd-cm
          namespace: argocd
        data:
          url: https://argocd.example.com
          oidc.config: |
            name: Single sign-on
            issuer: \($0.issuer)
            clientID: \($0.clientID)
            clientSecret: $oidc.gateway.clientSecret
            requestedScopes: ["openid", "profile", "email"]
        """
    }
}
