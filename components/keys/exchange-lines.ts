import { tokenExchange } from "#contract/key-rule-constants.ts";

/** The lines by which a job exchanges its token, with the addresses of an account. */
export function exchangeTabs(audience: string, tokenUrl: string) {
  const account = audience.split("/").at(-1) ?? "";
  const curl = (token: string, type: string, indent: string) =>
    [
      `curl -sSf ${tokenUrl} \\`,
      `  -d grant_type=${tokenExchange.grant} \\`,
      `  -d audience=${account} ${token} \\`,
      `  -d subject_token_type=${type} | jq -r .access_token`,
    ].join(`\n${indent}`);
  return [
    {
      label: "GitHub Actions",
      language: "github",
      code: `permissions:
  id-token: write
steps:
  - run: |
      token=$(curl -sSf -H "Authorization: bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
        "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${encodeURIComponent(audience)}" | jq -r .value)
      key=$(${curl('-d subject_token="$token"', tokenExchange.jwt, "      ")})
      echo "::add-mask::$key"
      echo "GATEHOUSE_API_KEY=$key" >> "$GITHUB_ENV"`,
    },
    {
      label: "GitLab",
      language: "gitlab",
      code: `job:
  id_tokens:
    GATEHOUSE_TOKEN:
      aud: ${audience}
  script:
    - |
      export GATEHOUSE_API_KEY=$(${curl('-d subject_token="$GATEHOUSE_TOKEN"', tokenExchange.idToken, "      ")})`,
    },
    {
      label: "Kubernetes",
      language: "kubernetes",
      code: `# In the pod: a volume with the token, mounted at /var/run/secrets/gatehouse.
volumes:
  - name: gatehouse
    projected:
      sources:
        - serviceAccountToken:
            path: token
            audience: ${audience}
            expirationSeconds: 3600

# In the container, again before the key ends:
${curl("--data-urlencode subject_token@/var/run/secrets/gatehouse/token", tokenExchange.jwt, "")}`,
    },
  ] as const;
}

/** What a rule for a platform usually asks for. */
export const platforms = {
  github: {
    label: "GitHub Actions",
    issuer: "https://token.actions.githubusercontent.com",
    claims: "repository_owner_id = \nrepository_id = \nref = refs/heads/main",
    single_use: true,
  },
  gitlab: {
    label: "GitLab",
    issuer: "https://gitlab.com",
    claims: "project_id = \nref_protected = true",
    single_use: false,
  },
  kubernetes: {
    label: "Kubernetes",
    issuer: "",
    claims: "sub = system:serviceaccount:<namespace>:<name>",
    single_use: false,
  },
  other: { label: null, issuer: "", claims: "sub = ", single_use: false },
} as const;
export type Platform = keyof typeof platforms;

/** Claims, one per line: `name = value`. Undefined if a line has no name or no value. */
export function claimsIn(text: string): Record<string, string> | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()] as const;
  });
  return pairs.every(([name, value]) => name !== "" && value !== "") ? Object.fromEntries(pairs) : undefined;
}
