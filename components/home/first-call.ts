/** A call that works as it stands, with a key in the environment. */
export function firstCallOf(gatewayUrl: string): string {
  return `curl ${gatewayUrl}/chat/completions \\
  -H "Authorization: Bearer $GATEHOUSE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "svc/chat-1", "messages": [{"role": "user", "content": "Hello"}]}'`;
}
