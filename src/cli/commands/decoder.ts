import { defineCommand, defineNoun } from '../command.ts'

export const DECODER = defineNoun({
  name: 'decoder',
  summary: 'Install the optional decoder of AAC, M4A, WMA, AMR and rarer formats',
  commands: [
    defineCommand({
      name: 'install',
      needs: 'folder',
      summary: 'Put the decoder into the data folder',
      details: `The decoder is FFmpeg in WebAssembly, the npm package @ffmpeg/core (GPL-2.0-or-later). The command downloads it from the npm registry, or from the one in npm_config_registry, and verifies its SHA-256. A running server uses it at once.
To remove it, delete the folder "decoders" in the data folder.`,
      arguments: [
        {
          name: 'FILE',
          help: 'a file that "npm pack @ffmpeg/core@0.12.10" made [download it]',
          isOptional: true,
        },
      ],
      options: { yes: { short: 'y', help: 'skip the confirmation' } },
      examples: [
        {
          command: 'dictation decoder install',
          meaning: 'show the download size and install it after confirmation',
          notRun: 'downloads from the internet',
        },
        {
          command: 'dictation decoder install ffmpeg-core-0.12.10.tgz',
          meaning: 'without a network',
          notRun: 'needs the file',
        },
      ],
      load: async () => (await import('../decoder/install.ts')).installDecoder,
    }),
  ],
})
