import { describe, expect, test } from 'bun:test'
import { BUILTIN_STYLES, reconcileStyles } from '../../src/writing/builtin-styles.ts'
import { matchesUrl, matchStyle, type StyleContext } from '../../src/writing/match-style.ts'
import { PLAIN_CONTENT, type WritingStyle } from '../../src/writing/style.ts'

const now = new Date('2026-11-22T12:00:00Z')
const builtins = reconcileStyles([], now)

const NOWHERE: StyleContext = {
  ...{ writingStyleId: null, appName: null, appId: null, appUrl: null, category: null, language: 'en' },
}

function custom(number: number, more: Partial<WritingStyle>): WritingStyle {
  return {
    ...PLAIN_CONTENT,
    ...{ id: `0197aaaa-0000-7000-8000-00000000000${number}`, name: `Custom ${number}`, kind: 'custom' },
    ...{ isDefault: false, usageCount: 0, lastUsedAt: null, createdAt: now, updatedAt: now },
    ...more,
  }
}

function chosen(context: Partial<StyleContext>, more: WritingStyle[] = []): string {
  const { style, matchedBy } = matchStyle([...builtins, ...more], { ...NOWHERE, ...context })
  return `${style.name} by ${matchedBy}`
}

describe('the built-in styles', () => {
  const CONTEXTS: [Partial<StyleContext>, string][] = [
    [{}, 'Default by default'],
    [{ appId: 'com.apple.mail' }, 'Email by category'],
    [{ appName: 'Slack' }, 'Chat by category'],
    [{ appId: 'com.microsoft.VSCode' }, 'Code by category'],
    [{ appId: 'com.googlecode.iterm2' }, 'Code by category'],
    [{ appName: 'Obsidian' }, 'Notes by category'],
    [{ appName: 'Microsoft Word' }, 'Formal by category'],
    [{ category: 'Email' }, 'Email by category'],
    [{ appName: 'Google Chrome' }, 'Default by default'],
    [{ appName: 'Google Chrome', appUrl: 'https://mail.google.com/mail/u/0/#inbox' }, 'Email by url'],
    [{ appName: 'Google Chrome', appUrl: 'https://mail.google.com/chat/u/0/' }, 'Chat by url'],
    [{ appUrl: 'https://docs.google.com/document/d/1/edit' }, 'Formal by url'],
    [{ appUrl: 'https://docs.google.com/spreadsheets/d/1/edit' }, 'Default by default'],
    [{ appUrl: 'https://vscode.dev/' }, 'Code by url'],
    [{ appUrl: 'not an address' }, 'Default by default'],
    [{ writingStyleId: BUILTIN_STYLES[1]!.id, appName: 'Slack' }, 'Verbatim by id'],
    [{ writingStyleId: '0197aaaa-0000-7000-8000-0000000000ff', appName: 'Slack' }, 'Chat by category'],
  ]
  test.each(CONTEXTS)('%p', (context, expected) => {
    expect(chosen(context)).toBe(expected)
  })
})

describe('precedence', () => {
  const slack = custom(1, { apps: ['Slack'] })

  test('a page comes before an application, and an application before its category', () => {
    const page = custom(2, { urlPatterns: ['example.com'] })
    const context = { appName: 'Slack', appUrl: 'https://example.com/' }
    expect(chosen(context, [slack, page])).toBe('Custom 2 by url')
    expect(chosen(context, [slack])).toBe('Custom 1 by app')
    expect(chosen(context)).toBe('Chat by category')
  })

  test('matches an application by name or identifier, ignoring case', () => {
    const contexts = [{ appName: 'slack' }, { appId: 'com.slack.SLACK' }, { appId: 'C:\\Apps\\Slack.exe' }]
    for (const context of contexts) expect(chosen(context, [slack])).toBe('Custom 1 by app')
    const byId = custom(3, { apps: ['com.Example.Editor'] })
    expect(chosen({ appId: 'com.example.editor' }, [byId])).toBe('Custom 3 by app')
    expect(chosen({ appId: 'com.example.editor2' }, [byId])).toBe('Default by default')
  })

  test('higher priority comes first, then custom styles, then the longer pattern', () => {
    const mail = custom(4, { appCategories: ['email'] })
    const context = { appId: 'com.apple.mail' }
    expect(chosen(context, [mail])).toBe('Custom 4 by category')
    expect(chosen(context, [custom(4, { appCategories: ['email'], priority: -1 })])).toBe('Email by category')
    const wide = custom(5, { urlPatterns: ['*.example.com'] })
    const close = custom(6, { urlPatterns: ['wiki.example.com/team'] })
    expect(chosen({ appUrl: 'https://wiki.example.com/team/a' }, [wide, close])).toBe('Custom 6 by url')
    const first = custom(5, { urlPatterns: ['*.example.com'], priority: 1 })
    expect(chosen({ appUrl: 'https://wiki.example.com/team/a' }, [first, close])).toBe('Custom 5 by url')
  })

  test('a disabled style matches only by id', () => {
    const off = custom(7, { apps: ['Slack'], enabled: false })
    expect(chosen({ appName: 'Slack' }, [off])).toBe('Chat by category')
    expect(chosen({ writingStyleId: off.id }, [off])).toBe('Custom 7 by id')
  })

  test('a style for one language matches only texts in that language', () => {
    const german = custom(8, { apps: ['Slack'], language: 'de' })
    expect(chosen({ appName: 'Slack', language: 'de' }, [german])).toBe('Custom 8 by app')
    expect(chosen({ appName: 'Slack', language: 'de-AT' }, [german])).toBe('Custom 8 by app')
    expect(chosen({ appName: 'Slack', language: 'en' }, [german])).toBe('Chat by category')
    expect(chosen({ appName: 'Slack', language: null }, [german])).toBe('Chat by category')
  })
})

describe('URL patterns', () => {
  const MATCHES: [pattern: string, url: string][] = [
    ['example.com', 'https://example.com'],
    ['example.com', 'http://www.example.com/a/b?c#d'],
    ['www.example.com', 'https://example.com/'],
    ['EXAMPLE.com', 'https://example.COM/'],
    ['https://example.com/', 'http://example.com/x'],
    ['*.example.com', 'https://a.b.example.com/'],
    ['*.example.com', 'https://example.com/'],
    ['example.com/wiki', 'https://example.com/wiki'],
    ['example.com/wiki', 'https://example.com/wiki/Page'],
    ['example.com/Wiki', 'https://example.com/wiki/Page'],
    ['example.com/*/edit', 'https://example.com/a/b/edit'],
    ['example.*/mail', 'https://example.co.uk/mail'],
    ['localhost:3000', 'http://localhost:3000/app'],
    ['localhost', 'http://localhost:3000/app'],
    ['example.com', 'https://user:secret@example.com/'],
    ['example.com', 'https://example.com./'],
    ['example.com', 'example.com/page'],
    ['[::1]:8080', 'http://[::1]:8080/'],
  ]
  test.each(MATCHES)('%s matches %s', (pattern, url) => {
    expect(matchesUrl(pattern, url)).toBe(true)
  })

  const OTHERS: [pattern: string, url: string][] = [
    ['example.com', 'https://mail.example.com/'],
    ['example.com', 'https://example.com.evil.net/'],
    ['example.com', 'https://notexample.com/'],
    ['*.example.com', 'https://notexample.com/'],
    ['example.com', 'https://evil.net/example.com'],
    ['example.com', 'https://evil.net/?u=https://example.com'],
    ['example.com', 'https://example.com@evil.net/'],
    ['example.com/wiki', 'https://example.com/wikipedia'],
    ['example.com/wiki', 'https://example.com/'],
    ['localhost:3000', 'http://localhost:3001/'],
    ['example.com', 'about:blank'],
    ['example.com', ''],
    ['', 'https://example.com/'],
    ['/wiki', 'https://example.com/wiki'],
  ]
  test.each(OTHERS)('%s does not match %s', (pattern, url) => {
    expect(matchesUrl(pattern, url)).toBe(false)
  })

  test('matching a pattern with many asterisks terminates', () => {
    const pattern = `example.com/${'*a'.repeat(240)}b`
    expect(matchesUrl(pattern, `https://example.com/${'a'.repeat(4000)}`)).toBe(false)
  })
})
