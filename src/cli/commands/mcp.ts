import { defineCommand } from '../command.ts'

const WAITS = 'waits for a client of the Model Context Protocol on standard input'

export const MCP = defineCommand({
  name: 'mcp',
  stdout: 'document',
  summary: 'Give other programs, such as AI assistants, tools over the Model Context Protocol (stdio)',
  details: `A program starts this command and talks to it over standard input and output. The tools search and read your captures, transcribe files, clean up and change texts, and wait for your next dictation.
The tools only read unless --allow-changes is given, and transcribe only files in the folders that --allow names. To set it up in Claude Code: claude mcp add dictation -- dictation mcp. docs/mcp.md has the configuration of other programs.`,
  options: {
    allow: {
      value: 'FOLDER',
      help: 'a folder whose files may be transcribed [none]',
      many: true,
    },
    'allow-changes': { help: 'let the tools add words to the dictionary' },
  },
  examples: [
    { command: 'dictation mcp', meaning: 'tools that only read', notRun: WAITS },
    {
      command: 'dictation mcp --allow interviews --allow-changes',
      meaning: 'also transcribe files of a folder, and add to the dictionary',
      notRun: WAITS,
    },
  ],
  load: async () => (await import('../mcp/serve-mcp.ts')).serveMcp,
})
