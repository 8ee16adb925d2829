import Providers

/// The addresses of the gateway that an operator enters in the providers' consoles.
enum ProviderEntries {
    static func text(_ providers: ProviderRegistry, publicURL: String) -> String {
        let lines = lines(providers, publicURL: publicURL)
        let shown = lines.isEmpty ? ["  nothing: no provider is configured"] : lines
        return (["Enter at the providers:"] + shown + [""]).joined(separator: "\n")
    }

    private static func lines(_ providers: ProviderRegistry, publicURL: String) -> [String] {
        providers.all.flatMap { provider -> [String] in
            let id = provider.id.rawValue
            var lines = ["\(provider.displayName) (\(page(of: id)))"]
            if let browser = provider as? any RedirectSignIn, browser.canRedirect {
                lines.append("  redirect URI: \(publicURL)\(browser.callbackPath)")
            }
            if provider is any SendsNotifications {
                lines.append("  notification endpoint: \(publicURL)/v1/events/\(id)")
            }
            return lines.count > 1 ? lines : lines + ["  nothing: no browser sign-in is configured"]
        }
    }

    private static func page(of id: String) -> String {
        (ProviderList.all.first { $0.id?.rawValue == id } ?? ProviderList.all.first { $0.id == nil })?.page ?? ""
    }
}
