"""Runs transcription sessions of OpenAI's official Python client and prints the results as a JSON object.

usage: openai_realtime.py BASE_URL RECORDING
The recording is a WAV of 16-bit mono samples at 24 kHz. Only the base address is changed.
"""

import asyncio
import base64
import json
import sys
import wave

import openai

base_url, recording = sys.argv[1:]
is_first_major = openai.__version__.startswith("1.")
options = {"api_key": "not needed", "base_url": base_url, "max_retries": 0}
if is_first_major:
    # Version 1 uses TLS for every address unless this option is set.
    options["websocket_base_url"] = base_url.replace("http", "ws")
# Version 1 requires a model here; newer ones leave it to the session.
connection = {"extra_query": {"intent": "transcription"}}
if is_first_major:
    connection["model"] = "gpt-4o-transcribe"

with wave.open(recording) as file:
    assert (file.getframerate(), file.getsampwidth(), file.getnchannels()) == (24000, 2, 1)
    samples = file.readframes(file.getnframes())
SECOND = 48000
TENTH = SECOND // 10


def session(**turns):
    audio = {
        "input": {
            "format": {"type": "audio/pcm", "rate": 24000},
            "transcription": {"model": "gpt-4o-transcribe", "language": "en"},
            **turns,
        }
    }
    return {
        "type": "transcription",
        "audio": audio,
        "include": ["item.input_audio_transcription.logprobs"],
    }


def pieces(audio):
    for at in range(0, len(audio), TENTH):
        yield base64.b64encode(audio[at : at + TENTH]).decode()


def checked(event):
    """Validates the event strictly with the client's own class."""
    fields = event.to_dict()
    type(event).model_validate(fields, strict=True)
    return fields


def summary(events):
    """What the test checks: the order of the events, the text as deltas and as a whole."""
    completed = [one for one in events if one["type"].endswith("transcription.completed")]
    return {
        "types": [one["type"] for one in events if not one["type"].endswith(".delta")],
        "deltas": "".join(one["delta"] for one in events if one["type"].endswith("transcription.delta")),
        "transcripts": [one["transcript"] for one in completed],
        "logprobs": "".join(token["token"] for one in completed for token in one.get("logprobs") or []),
        "usage": [one["usage"] for one in completed],
        "errors": [one["error"] for one in events if one["type"] == "error"],
    }


def until_completed(connection, count=1):
    events = []
    for event in connection:
        events.append(checked(event))
        if sum(one["type"].endswith("transcription.completed") for one in events) == count:
            return events
    raise RuntimeError("the connection was closed")


def with_pauses():
    with openai.OpenAI(**options).realtime.connect(**connection) as realtime:
        realtime.session.update(session=session(turn_detection={"type": "server_vad", "silence_duration_ms": 500}))
        for piece in pieces(samples + bytes(SECOND)):
            realtime.input_audio_buffer.append(audio=piece)
        return summary(until_completed(realtime))


def by_hand():
    with openai.OpenAI(**options).realtime.connect(**connection) as realtime:
        realtime.session.update(session=session(turn_detection=None))
        realtime.input_audio_buffer.commit()
        for _ in range(2):
            for piece in pieces(samples):
                realtime.input_audio_buffer.append(audio=piece)
            realtime.input_audio_buffer.commit()
        # Not supported: the session continues after the error.
        realtime.response.create()
        return summary(until_completed(realtime, count=2))


async def asynchronously():
    async with openai.AsyncOpenAI(**options).realtime.connect(**connection) as realtime:
        await realtime.session.update(session=session(turn_detection=None))
        for piece in pieces(samples):
            await realtime.input_audio_buffer.append(audio=piece)
        await realtime.input_audio_buffer.clear()
        for piece in pieces(samples):
            await realtime.input_audio_buffer.append(audio=piece)
        await realtime.input_audio_buffer.commit()
        events = []
        async for event in realtime:
            events.append(checked(event))
            if events[-1]["type"].endswith("transcription.completed"):
                return summary(events)


def first_version():
    """The earlier API, which only the first major version supports."""
    with openai.OpenAI(**options).beta.realtime.connect(**connection) as realtime:
        realtime.transcription_session.update(
            session={
                "input_audio_format": "pcm16",
                "input_audio_transcription": {"model": "gpt-4o-transcribe", "language": "en"},
                "turn_detection": {"type": "server_vad", "silence_duration_ms": 500},
            }
        )
        for piece in pieces(samples + bytes(SECOND)):
            realtime.input_audio_buffer.append(audio=piece)
        events = []
        for event in realtime:
            # The client has no class for the first of these; the other's requires a secret that this server never sends.
            is_session = event.type.startswith("transcription_session.")
            events.append(event.to_dict() if is_session else checked(event))
            if events[-1]["type"].endswith("transcription.completed"):
                return summary(events)


def refused():
    try:
        with openai.OpenAI(**options).realtime.connect(**{**connection, "model": "unknown"}) as realtime:
            return checked(realtime.recv())["type"]
    except Exception as error:  # its class depends on the version of websockets
        return error.response.status_code


print(
    json.dumps(
        {
            "version": openai.__version__,
            "with_pauses": with_pauses(),
            "by_hand": by_hand(),
            "asynchronously": asyncio.run(asynchronously()),
            "first_version": first_version() if is_first_major else None,
            "refused": refused(),
        }
    )
)
