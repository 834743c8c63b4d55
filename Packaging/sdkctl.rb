# Homebrew on Linux: brew install --build-from-source Packaging/sdkctl.rb
class Sdkctl < Formula
  desc "Registers, logs in, and fetches resources behind certificate pins"
  homepage "https://sdkctl.example"
  license "Apache-2.0"
  head "file://#{File.expand_path("..", __dir__)}", using: :git, branch: "main"

  depends_on "lld" => :build
  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "curl"
  depends_on :linux
  depends_on "openssl@3"

  def install
    system "make", "release-sdkctl"
    system "make", "install", "PREFIX=#{prefix}", "SANDBOX=/nonexistent"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/sdkctl version") unless head?
    assert_match "no profile", shell_output("#{bin}/sdkctl token 2>&1", 3)
  end
end
