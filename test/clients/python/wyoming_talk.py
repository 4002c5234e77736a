"""Talks to wyoming_openai as a voice assistant does, and prints the results as a JSON object.

usage: wyoming_talk.py BASE_URL WAV...
Starts the proxy with only the address and the model names, and uses the Wyoming protocol over TCP, as Home Assistant does.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import wave

from wyoming.asr import Transcribe
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.info import Describe, Info

base_url, first, *more_recordings = sys.argv[1:]
PATIENCE_SECONDS = 120

WHOLE = ["whisper-1", "tiny.en", "gpt-transcribe", "nope"]
STREAMED = ["gpt-4o-transcribe", "gpt-4o-mini-transcribe"]


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


async def connected(port):
    """Connects as soon as the proxy listens."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while True:
        client = AsyncTcpClient("127.0.0.1", port)
        try:
            await client.connect()
            return client
        except OSError:
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(0.05)


async def programs(port):
    client = await connected(port)
    await client.write_event(Describe().event())
    info = Info.from_event(await asyncio.wait_for(client.read_event(), PATIENCE_SECONDS))
    await client.disconnect()
    return {program.name: [model.name for model in program.models] for program in info.asr}


async def transcribe(port, recording, model):
    """The types of the events in order, the text and its pieces."""
    client = await connected(port)
    with wave.open(recording) as file:
        form = {"rate": file.getframerate(), "width": file.getsampwidth(), "channels": file.getnchannels()}
        await client.write_event(Transcribe(name=model, language="en").event())
        await client.write_event(AudioStart(**form).event())
        while samples := file.readframes(1024):
            await client.write_event(AudioChunk(**form, audio=samples).event())
        await client.write_event(AudioStop().event())
    events = []
    while event := await asyncio.wait_for(client.read_event(), PATIENCE_SECONDS):
        events.append(event)
        if event.type in ("transcript-stop", "error"):
            break
    await client.disconnect()

    def joined(kind):
        return "".join(event.data["text"] for event in events if event.type == kind)

    types = list(dict.fromkeys(event.type for event in events))
    return {"types": types, "text": joined("transcript"), "pieces": joined("transcript-chunk")}


async def talk(port):
    return {
        "programs": await programs(port),
        "transcripts": {model: await transcribe(port, first, model) for model in WHOLE + STREAMED},
        "more": [await transcribe(port, recording, "gpt-4o-transcribe") for recording in more_recordings],
    }


port = free_port()
command = [sys.executable, "-m", "wyoming_openai", "--uri", f"tcp://127.0.0.1:{port}"]
models = ["--stt-models", *WHOLE, "--stt-streaming-models", *STREAMED]
environment = {**os.environ, "STT_OPENAI_URL": base_url, "STT_OPENAI_KEY": "not needed"}
with subprocess.Popen(command + models, env=environment, stdout=sys.stderr) as proxy:
    try:
        print(json.dumps(asyncio.run(talk(port))))
    finally:
        proxy.terminate()
