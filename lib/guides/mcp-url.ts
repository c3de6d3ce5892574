/** The address of the gateway's tools for agents. It is outside the API, whose base URL ends with `/v1`. */
export function mcpUrl(baseUrl: string): string {
  return `${baseUrl.replace(/\/v1$/, "")}/mcp`;
}
