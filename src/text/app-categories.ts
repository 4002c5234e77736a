// The category of an application, from a table of well-known ones, by name and by identifier.

export type AppNames = { appId: string | null; appName: string | null }

/** Names in the form that `keysOf` returns: lowercase letters and digits only. */
const APPS: Record<string, string> = {
  email: `
    mail applemail gmail outlook microsoftoutlook newoutlook olk thunderbird betterbird spark
    sparkdesktop sparkmail airmail mailspring postbox superhuman mimestream canarymail emclient
    mailclient evolution geary kmail protonmail protonmailbridge tutanota tutamail hxoutlook windowsmail
    missive shortwave hey clawsmail sylpheed mutt neomutt k9 k9mail fairemail mailmate polymail
  `,
  chat: `
    slack slackmacgap discord discordcanary discordptb vesktop whatsapp telegram telegramdesktop
    kotatogram signal signaldesktop messages mobilesms ichat imessage messenger caprine wechat weixin
    wecom xinwechat qq line kakaotalk viber skype skypeforbusiness lync teams teams2 microsoftteams
    msteams element elementdesktop fractal nheko mattermost mattermostdesktop rocketchat zulip wire
    threema session beeper googlechat lark feishu dingtalk hexchat irssi weechat konversation pidgin
    gajim dino ferdium franz rambox texts zalo
  `,
  code: `
    code vscode visualstudiocode codeinsiders vscodeinsiders codeoss vscodium codium cursor windsurf zed
    zededitor xcode dtxcode androidstudio studio64 devenv visualstudio intellij intellijidea
    intellijideace idea idea64 pycharm pycharmce pycharm64 webstorm webstorm64 phpstorm phpstorm64
    goland goland64 clion clion64 rider rider64 rubymine rubymine64 rustrover rustrover64 datagrip
    datagrip64 fleet eclipse netbeans sublimetext sublimetext3 sublimetext4 sublime nova bbedit textmate
    coteditor notepadplusplus emacs vim gvim macvim nvim neovim neovide helix kate geany lapce atom
    pulsar builder kdevelop qtcreator codeblocks rstudio spyder jupyterlab arduinoide positron
    githubdesktop
  `,
  terminal: `
    terminal appleterminal iterm iterm2 warp ghostty alacritty kitty wezterm weztermgui hyper tabby rio
    konsole gnometerminal gnometerminalserver xfce4terminal tilix terminator guake yakuake xterm urxvt
    foot ptyxis kgx blackbox windowsterminal cmd powershell pwsh conhost mintty conemu64 putty
  `,
  notes: `
    notes applenotes notion obsidian logseq bear evernote joplin joplindesktop simplenote standardnotes
    craft onenote microsoftonenote roam roamresearch reflect anytype capacities tana remnote zettlr
    drafts ulysses nvalt fsnotes agenda stickynotes stickies notepad textedit gedit gnometexteditor
    texteditor kwrite mousepad xed pluma featherpad googlekeep keep todoist things things3 culturedcode
    ticktick reminders microsofttodo omnifocus trello dayone amplenote siyuan affine upnote goodnotes
    notability freeform heynote
  `,
  document: `
    word microsoftword winword pages writer swriter soffice libreofficewriter libreoffice openoffice
    startcenter onlyoffice desktopeditors wps wpsoffice abiword scrivener scrivener3 iawriter typora
    marktext googledocs latexit texstudio texshop lyx texmaker overleaf hwp ichitaro papyrusautor
    manuskript calligrawords
  `,
  spreadsheet: `
    excel microsoftexcel numbers calc scalc libreofficecalc googlesheets gnumeric
  `,
  presentation: `
    powerpoint microsoftpowerpoint powerpnt keynote impress simpress libreofficeimpress googleslides
  `,
  meeting: `
    zoom zoomus xos webex ciscowebex googlemeet facetime gotomeeting jitsimeet
  `,
  browser: `
    safari safaritechnologypreview chrome googlechrome chromecanary chromium chromiumbrowser firefox
    firefoxdeveloperedition firefoxesr edge msedge edgemac microsoftedge brave bravebrowser opera
    operagx vivaldi arc thebrowser dia librewolf waterfox floorp zen zenbrowser orion kagimacos
    duckduckgo tor torbrowser epiphany falkon konqueror qutebrowser yandexbrowser whale samsunginternet
  `,
  assistant: `
    chatgpt claude claudefordesktop copilot gemini perplexity lmstudio ollama jan msty openwebui poe
    grok mistral lechat raycast
  `,
  design: `
    figma sketch photoshop illustrator indesign canva gimp inkscape affinitydesigner
  `,
}

const CATEGORY_OF = new Map(
  Object.entries(APPS).flatMap(([category, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, category] as const),
  ),
)

/**
 * The category of an application, by its identifier (bundle id, desktop file, path or name of a program) or its name;
 * null if unknown.
 */
export function categoryOf(app: AppNames): string | null {
  for (const key of keysOf(app)) {
    const category = CATEGORY_OF.get(key)
    if (category !== undefined) return category
  }
  return null
}

/**
 * The names of an application, most reliable first, without case, spaces and punctuation: the whole identifier, its last
 * part (`slack` in `com.slack.Slack`, `outlook` in `C:\…\OUTLOOK.EXE`), and its name.
 */
export function keysOf({ appId, appName }: AppNames): string[] {
  const keys = [appId, appId && lastPartOf(appId), appName && withoutSuffix(appName)]
  return [...new Set(keys.map((key) => plain(key ?? '')).filter((key) => key !== ''))]
}

/** The file name of a path; the part of a dotted identifier after the last dot. */
function lastPartOf(appId: string): string {
  const file = withoutSuffix(appId.split(/[/\\]/).at(-1) ?? '')
  return file.split('.').at(-1) ?? ''
}

const withoutSuffix = (name: string): string => name.trim().replace(/\.(exe|app|desktop|appimage|bin)$/i, '')

const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('++', 'plusplus')
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')
