/** The programs of OpenStack Swift, Debian's S3 server, in the form that `ensurePrograms` needs. */
export const swift = [
  { name: "swift-proxy-server", words: ["--help"], package: "swift-proxy" },
  { name: "swift-account-server", words: ["--help"], package: "swift-account" },
  { name: "swift-container-server", words: ["--help"], package: "swift-container" },
  { name: "swift-object-server", words: ["--help"], package: "swift-object" },
  { name: "memcached", words: ["-V"], package: "memcached" },
  { name: "unshare", words: ["--version"], package: "util-linux" },
];
