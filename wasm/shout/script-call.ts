// Reads the call that shout writes as a script: postMessage({cmd: "callHandler", handler: "…", args: […]}).
// Never evaluates anything; what the arguments mean is shout.ts.

export type ScriptCall = { handler: string; args: unknown[] }

const CALL = /^postMessage\(\{cmd: "callHandler", handler: "(\w+)", args: (\[.*\])\}\);?\s*$/s

/**
 * shout does not escape what a model's vocabulary holds, so a text may contain quotes and line breaks. Texts are
 * dropped: a token's id says the same, also where one character is spread over several tokens.
 */
const TEXT = /"text": ".*?","(timestamps|tokens)": /gs

/** @returns the call, or null where the script has another form */
export const readScriptCall = (script: string): ScriptCall | null => {
  const [, handler, args] = CALL.exec(script) ?? []
  if (!handler || !args) return null
  try {
    return { handler, args: JSON.parse(args.replace(TEXT, '"text": "","$1": ')) }
  } catch {
    return null
  }
}
