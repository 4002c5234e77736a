import { defineCommand } from '../command.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

export const COMPLETION = defineCommand({
  name: 'completion',
  needs: 'nothing',
  stdout: 'document',
  summary: 'Print the completion script for a shell',
  details: `bash: add  source <(dictation completion bash)  to ~/.bashrc
zsh: add  source <(dictation completion zsh)  to ~/.zshrc
fish: dictation completion fish > ~/.config/fish/completions/dictation.fish
PowerShell: add  dictation completion powershell | Out-String | Invoke-Expression  to $PROFILE`,
  arguments: [{ name: 'SHELL', help: 'the shell', choices: SHELLS }],
  examples: [{ command: 'dictation completion bash', meaning: 'for bash' }],
  load: async () => (await import('../shell/completion.ts')).completionScript,
})

export const COMPLETE = defineCommand({
  name: 'complete',
  needs: 'nothing',
  stdout: 'document',
  summary: 'Print the completions of a command line, for the scripts of "dictation completion"',
  isHidden: true,
  arguments: [{ name: 'WORDS', help: 'the words typed so far, after --', many: true, isOptional: true }],
  load: async () => (await import('../shell/completion.ts')).completions,
})

export const MAN = defineCommand({
  name: 'man',
  needs: 'nothing',
  stdout: 'document',
  summary: 'Print the manual page',
  details:
    'npm install --global installs it, too. dictation man > ~/.local/share/man/man1/dictation.1 makes it available to man.',
  examples: [{ command: 'dictation man', meaning: 'the page in roff' }],
  load: async () => (await import('../shell/man.ts')).manPage,
})

export const HELP = defineCommand({
  name: 'help',
  needs: 'nothing',
  summary: 'Describe a command, the exit codes, or the environment',
  arguments: [{ name: 'TOPIC', help: 'exit-codes, environment, or a command', many: true, isOptional: true }],
  examples: [
    { command: 'dictation help exit-codes', meaning: 'what each exit code means' },
    { command: 'dictation help environment', meaning: 'the variables that the command and the server read' },
    { command: 'dictation help server start', meaning: 'a command' },
  ],
  load: async () => (await import('../shell/help.ts')).helpTopic,
})
