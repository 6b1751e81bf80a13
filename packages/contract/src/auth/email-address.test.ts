import { describe, expect, test } from 'vitest'
import { foldEmail, isEmailAddress } from './email-address.ts'

const LABEL = 'a'.repeat(63)

describe('accepted and compared', () => {
  test.each([
    // Addresses as most people have them.
    ['ada@example.com', 'ada@example.com'],
    ['Ada.Lovelace+console@Mail.Example.COM', 'ada.lovelace+console@mail.example.com'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['ada@example', 'ada@example'],
    ['root@localhost', 'root@localhost'],
    ['ada@3com.example', 'ada@3com.example'],
    ['ada@1.2.3.4.example', 'ada@1.2.3.4.example'],
    // Every character of an atom (RFC 5321, 4.1.2; RFC 5322, 3.2.3).
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ['-@example.com', '-@example.com'],
    // Quoted local parts. Needless quotes and backslashes name the same mailbox.
    ['"ada lovelace"@example.com', '"ada lovelace"@example.com'],
    ['"Ada"@example.com', 'ada@example.com'],
    [String.raw`"a\d\a"@example.com`, 'ada@example.com'],
    ['"ada..l"@example.com', '"ada..l"@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    [String.raw`"a\"b\\c"@example.com`, String.raw`"a\"b\\c"@example.com`],
    ['""@example.com', '""@example.com'],
    // Internationalized domains, typed or in ASCII.
    ['u@bücher.example', 'u@xn--bcher-kva.example'],
    ['u@BÜCHER.example', 'u@xn--bcher-kva.example'],
    ['u@bu\u0308cher.example', 'u@xn--bcher-kva.example'],
    ['U@xn--bcher-kva.example', 'u@xn--bcher-kva.example'],
    ['u@XN--BCHER-KVA.example', 'u@xn--bcher-kva.example'],
    ['u@пример.рф', 'u@xn--e1afmkfd.xn--p1ai'],
    ['u@例子。测试', 'u@xn--fsqu00a.xn--0zwm56d'],
    ['u@straße.example', 'u@xn--strae-oqa.example'],
    ['u@نامه\u200cای.example', 'u@xn--mgba3gch31f060k.example'],
    ['u@ｅxample.com', 'u@example.com'],
    // Local parts beyond ASCII (RFC 6531).
    ['Jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['"jörg b"@example.com', '"jörg b"@example.com'],
    // The longest ones.
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`${'ö'.repeat(32)}@example.com`, `${'ö'.repeat(32)}@example.com`],
    [`a@${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(60)}`, `a@${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(60)}`],
  ])('%s', (typed, folded) => {
    expect(isEmailAddress(typed)).toBe(true)
    expect(foldEmail(` ${typed}\n`)).toBe(folded)
    expect(foldEmail(folded)).toBe(folded)
  })
})

test.each([
  [''],
  ['ada'],
  ['@example.com'],
  ['ada@'],
  ['ada example.com'],
  ['.ada@example.com'],
  ['ada.@example.com'],
  ['ada..l@example.com'],
  ['ada lovelace@example.com'],
  ['ada@b@example.com'],
  ['ada(comment)@example.com'],
  ['Ada <ada@example.com>'],
  ['ada@example.com,grace@example.com'],
  ['"ada@example.com'],
  ['"a"b"@example.com'],
  ['"a\tb"@example.com'],
  ['"a\nb"@example.com'],
  // Domains.
  ['ada@example.com.'],
  ['ada@.example.com'],
  ['ada@example..com'],
  ['ada@-example.com'],
  ['ada@example-.com'],
  ['ada@exa_mple.com'],
  ['ada@exa mple.com'],
  ['ada@example.123'],
  ['ada@127.0.0.1'],
  ['ada@２５５.１.１.１'],
  ['ada@[192.0.2.1]'],
  ['ada@[IPv6:2001:db8::1]'],
  [`ada@${LABEL}a.example`],
  [`ada@${'ü'.repeat(60)}.example`],
  // What a URL would accept.
  ['ada@bücher.example:80'],
  ['ada@bücher.example/path'],
  ['ada@bücher.example?q'],
  ['ada@bücher.example#f'],
  ['ada@bücher.example\\x'],
  ['ada@b%C3%BCcher.example'],
  ['ada@bü\tcher.example'],
  ['ada@bü\ncher.example'],
  ['ada@bücher.example／path'],
  ['ada@bücher\u00ad.example'],
  // Characters that nobody sees.
  ['ada\u200b@example.com'],
  ['ada\u202e@example.com'],
  ['ada\u0085@example.com'],
  ['a\u00a0da@example.com'],
  ['ada@exam\u200bple.com'],
  ['a\u200dda@example.com'],
  ['a\u3164@example.com'],
  // Too long.
  [`${'a'.repeat(65)}@example.com`],
  [`${'ö'.repeat(33)}@example.com`],
  [`a@${LABEL}.${LABEL}.${LABEL}.${'a'.repeat(61)}`],
])('%j is refused', (typed) => {
  expect(isEmailAddress(typed)).toBe(false)
})

test('a text that is not an address is compared in lower case', () => {
  expect(foldEmail(' Not An Address ')).toBe('not an address')
})

test('a long text is refused at once', () => {
  const begun = process.cpuUsage()
  for (const part of ['a', '\u212a', 'ö', '"', '\\', '.', 'a.', '@'])
    expect(isEmailAddress(`${part.repeat(50_000)}!@`)).toBe(false)
  const { user, system } = process.cpuUsage(begun)
  expect((user + system) / 1_000).toBeLessThan(500)
})
