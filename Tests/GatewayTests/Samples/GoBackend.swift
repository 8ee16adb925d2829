import Foundation
import TestSupport

/// The Go code of `docs/backends.md`, compiled with the packages of the distribution, which have version 2 of go-oidc.
enum GoBackend {
    /// The path of the program.
    static let program = Task {
        let folder = Configurations.root.appending(path: "var/go").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let parts = [head] + (try BackendPage.code(of: "Go")) + [main]
        try parts.joined(separator: "\n").write(toFile: "\(folder)/backend.go", atomically: false, encoding: .utf8)
        // Modules off: the distribution's packages are in its own GOPATH.
        try await ChildProcess.run(
            [
                "GO111MODULE=off", "GOPATH=/usr/share/gocode", "GOCACHE=\(folder)/cache", "CGO_ENABLED=0", "go",
                "build", "-o", "\(folder)/backend", "\(folder)/backend.go",
            ], within: .seconds(600))
        return "\(folder)/backend"
    }

    private static let head = """
        package main

        import (
            "context"
            "encoding/base64"
            "encoding/json"
            "errors"
            "fmt"
            "net/http"
            "net/url"
            "os"
            "strings"

            "github.com/coreos/go-oidc"
        )
        """

    private static let main = """
        func main() {
            ctx, issuer := context.Background(), os.Getenv("ISSUER")
            verifier, err := newVerifier(ctx, issuer, "app")
            if err != nil {
                panic(err)
            }
            for _, raw := range os.Args[2:] {
                id, err := userID(ctx, verifier, raw)
                if os.Args[1] == "online" {
                    id, err = userIDOnline(ctx, issuer, "app", os.Getenv("CLIENT_SECRET"), raw)
                }
                if err != nil {
                    id = "refused"
                }
                fmt.Println(id)
            }
        }
        """
}
