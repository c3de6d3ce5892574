import { byName } from "#contract/by-name.ts";

/** The kind of a token, which determines its colour. */
export type TokenKind = "plain" | "comment" | "string" | "number" | "word";

export interface CodeToken {
  kind: TokenKind;
  text: string;
}

interface Grammar {
  comment: string;
  string: string;
  words: string;
}

const quoted = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'`;
const slashes = "\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/";

const javascript: Grammar = {
  comment: slashes,
  string: `${quoted}|\`(?:[^\`\\\\]|\\\\.)*\``,
  words:
    "as|async|await|break|case|catch|class|const|continue|default|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|let|new|null|of|return|switch|this|throw|true|try|typeof|undefined|while",
};

const shell: Grammar = {
  comment: "(?<![^\\s])#[^\\n]*",
  // A request body in single quotes may span many lines.
  string: `"(?:[^"\\\\]|\\\\[\\s\\S])*"|'[^']*'`,
  words: "curl|export|echo|openssl|printf|npm|npx|pip|gatehouse",
};

const python: Grammar = {
  comment: "#[^\\n]*",
  string: `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|${quoted}`,
  words:
    "and|as|assert|async|await|class|def|del|elif|else|except|False|finally|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield",
};

/** Languages by their name in code blocks. Code in other languages is not coloured. */
const grammars = byName<Grammar>({
  json: { comment: "(?!)", string: quoted, words: "true|false|null" },
  javascript,
  js: javascript,
  jsx: javascript,
  typescript: javascript,
  ts: javascript,
  tsx: javascript,
  node: javascript,
  "node-stripe": javascript,
  shell,
  sh: shell,
  zsh: shell,
  bash: shell,
  curl: shell,
  python,
  py: python,
  go: {
    comment: slashes,
    string: `"(?:[^"\\\\\\n]|\\\\.)*"|\`[^\`]*\``,
    words:
      "break|case|const|continue|default|defer|else|false|for|func|go|if|import|interface|map|nil|package|range|return|struct|switch|true|type|var",
  },
  php: {
    comment: `${slashes}|#[^\\n]*`,
    string: quoted,
    words:
      "array|as|catch|class|const|echo|else|elseif|exit|false|for|foreach|function|if|new|null|public|return|static|throw|true|try|use|while",
  },
});

/** Longer code is not highlighted. */
const maxCharacters = 20_000;

const patterns = new Map<string, RegExp>();

/** Splits code into coloured tokens. Joined, the tokens are the original code. */
export function tokensOf(code: string, language: string): CodeToken[] {
  const grammar = grammars[language];
  if (!grammar || code.length > maxCharacters) return [{ kind: "plain", text: code }];
  const pattern = patterns.get(language) ?? patternOf(grammar);
  patterns.set(language, pattern);
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) tokens.push({ kind: "plain", text: code.slice(end, match.index) });
    tokens.push({ kind: kindOf(match.groups ?? {}), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ kind: "plain", text: code.slice(end) });
  return tokens;
}

function patternOf({ comment, string, words }: Grammar): RegExp {
  // Strings come first, because they may contain text that looks like a comment.
  return new RegExp(
    `(?<string>${string})|(?<comment>${comment})|(?<number>(?<![\\w$.-])-?\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\b)|(?<word>(?<![\\w$.-])(?:${words})(?![\\w$-]))`,
    "g",
  );
}

function kindOf(groups: Record<string, string | undefined>): TokenKind {
  if (groups.string !== undefined) return "string";
  if (groups.comment !== undefined) return "comment";
  return groups.number !== undefined ? "number" : "word";
}
