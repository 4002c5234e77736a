// Parses the call that shout writes as a script: postMessage({cmd: "callHandler", handler: "…", args: […]}).

export type ScriptCall = { handler: string; args: unknown[] }

const CALL = /^postMessage\(\{cmd: "callHandler", handler: "(\w+)", args: (\[.*\])\}\);?\s*$/s

/**
 * shout does not escape the tokens of a model's vocabulary, so a text may contain quotes and line breaks. Texts are
 * dropped: the token ids carry the same text, even if a character spans several tokens.
 */
const TEXT = /"text": ".*?","(timestamps|tokens)": /gs

/** @returns the call, or null if the script has another form */
export const readScriptCall = (script: string): ScriptCall | null => {
  const [, handler, args] = CALL.exec(script) ?? []
  if (!handler || !args) return null
  try {
    return { handler, args: JSON.parse(args.replace(TEXT, '"text": "","$1": ')) }
  } catch {
    return null
  }
}
