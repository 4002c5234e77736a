"""Talks to the server as Home Assistant does, with the classes of the package wyoming, and prints the results as JSON.

usage: wyoming_client.py PORT ENGLISH.wav FRENCH.wav OTHER_ENGLISH.wav...
"""

import asyncio
import json
import sys
import wave

from wyoming.asr import Transcribe, Transcript, TranscriptChunk, TranscriptStart, TranscriptStop
from wyoming.audio import AudioChunk, AudioChunkConverter, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong

port, english, french, *others = sys.argv[1:]
PATIENCE_SECONDS = 120
SAMPLES_PER_CHUNK = 1024


def connected():
    return AsyncTcpClient("127.0.0.1", int(port), read_timeout=PATIENCE_SECONDS)


def chunks_of(recording):
    with wave.open(recording) as file:
        form = {"rate": file.getframerate(), "width": file.getsampwidth(), "channels": file.getnchannels()}
        while samples := file.readframes(SAMPLES_PER_CHUNK):
            yield AudioChunk(**form, audio=samples)


async def send(client, chunks, start=True, stop=True):
    for index, chunk in enumerate(chunks):
        if index == 0 and start:
            form = {"rate": chunk.rate, "width": chunk.width, "channels": chunk.channels}
            await client.write_event(AudioStart(**form).event())
        await client.write_event(chunk.event())
    if stop:
        await client.write_event(AudioStop().event())


async def outcome(client):
    """The events until the transcript or an error is complete."""
    found = {"types": [], "pieces": "", "text": None, "language": None, "error": None}
    while event := await client.read_event():
        if event.type not in found["types"]:
            found["types"].append(event.type)
        if TranscriptStart.is_type(event.type):
            TranscriptStart.from_event(event)
        elif TranscriptChunk.is_type(event.type):
            found["pieces"] += TranscriptChunk.from_event(event).text
        elif Transcript.is_type(event.type):
            transcript = Transcript.from_event(event)
            found["text"], found["language"] = transcript.text, transcript.language
        elif Error.is_type(event.type):
            found["error"] = Error.from_event(event).code
        if TranscriptStop.is_type(event.type):
            break
    return found


async def transcribe(recording, request=Transcribe(), convert=lambda chunk: chunk, start=True):
    async with connected() as client:
        await client.write_event(request.event())
        await send(client, map(convert, chunks_of(recording)), start)
        return await outcome(client)


async def describe():
    async with connected() as client:
        await client.write_event(Describe().event())
        info = Info.from_event(await client.read_event())
        await client.write_event(Ping(text="still there?").event())
        pong = Pong.from_event(await client.read_event())
    [program] = info.asr
    return {
        "pong": pong.text,
        "program": program.name,
        "streaming": program.supports_transcript_streaming,
        "models": {model.name: model.languages for model in program.models if model.installed},
    }


async def stream():
    """Sends the end of the audio only after words of its beginning have arrived."""
    async with connected() as client:
        await client.write_event(Transcribe(language="en").event())
        chunks = list(chunks_of(english))
        form = {"rate": chunks[0].rate, "width": chunks[0].width, "channels": chunks[0].channels}
        silence = AudioChunk(**form, audio=bytes(6 * form["rate"] * form["width"] * form["channels"]))
        await send(client, [*chunks, silence], stop=False)
        first, second = await client.read_event(), await client.read_event()
        await send(client, chunks, start=False)
        rest = await outcome(client)
    return {"early": [first.type, second.type], "beginning": second.data["text"], **rest}


async def one_after_another():
    async with connected() as client:
        texts = []
        for _ in range(2):
            await send(client, chunks_of(english))
            texts.append((await outcome(client))["text"])
        return texts


async def main():
    wide = AudioChunkConverter(rate=22050, width=4, channels=2).convert
    return {
        "info": await describe(),
        "plain": await transcribe(english, Transcribe(language="en")),
        "french": await transcribe(french, Transcribe(name="base", language="fr")),
        "others": [await transcribe(other) for other in others],
        "wide": await transcribe(english, convert=wide),
        "without_start": await transcribe(english, start=False),
        "streamed": await stream(),
        "one_after_another": await one_after_another(),
        "together": await asyncio.gather(transcribe(english), transcribe(others[0])),
        "unknown_model": await transcribe(english, Transcribe(name="nope")),
        "unsupported_language": await transcribe(english, Transcribe(name="tiny.en", language="fr")),
    }


print(json.dumps(asyncio.run(main())))
