"""Runs OpenAI's official Python client and prints the results as a JSON object.

usage: openai_client.py BASE_URL RECORDING
Only the base address is changed; an exception is reported as {"raised": ...}.
"""

import json
import sys

import openai

base_url, recording = sys.argv[1:]
client = openai.OpenAI(api_key="not needed", base_url=base_url, max_retries=0)


def transcribe(**more):
    with open(recording, "rb") as file:
        return client.audio.transcriptions.create(file=file, model="whisper-1", **more)


def streamed():
    events = [event.to_dict() for event in transcribe(stream=True)]
    return {
        "types": sorted({event["type"] for event in events}),
        "pieces": "".join(event.get("delta", "") for event in events),
        "whole": events[-1]["text"],
    }


def verbose():
    transcript = transcribe(response_format="verbose_json", timestamp_granularities=["word", "segment"])
    first = transcript.segments[0]
    return {
        "text": transcript.text,
        "language": transcript.language,
        "segment": first.text,
        "numbers": [type(value).__name__ for value in (first.seek, first.temperature, first.avg_logprob)],
        "words": [word.word for word in transcript.words],
    }


def logprobs():
    """The concatenated tokens of the response, and the types of the first."""
    tokens = transcribe(include=["logprobs"]).logprobs
    first = tokens[0]
    kinds = [type(value).__name__ for value in (first.token, first.logprob, first.bytes)]
    return {"text": "".join(one.token for one in tokens), "kinds": kinds}


def refused():
    try:
        transcribe(response_format="docx")
    except openai.UnprocessableEntityError as error:
        return error.code
    return None


def translated():
    """tiny.en cannot translate: the client must raise its own error class."""
    try:
        with open(recording, "rb") as file:
            return client.audio.translations.create(file=file, model="whisper-1").text
    except openai.APIStatusError as error:
        return {"status": error.status_code, "code": error.code}


def azure(deployment, **more):
    """The same server as an Azure resource, with any deployment name."""
    resource = openai.AzureOpenAI(
        api_key="not needed",
        api_version="2024-10-21",
        azure_endpoint=base_url.removesuffix("/v1"),
        max_retries=0,
    )
    with open(recording, "rb") as file:
        return resource.audio.transcriptions.create(file=file, model=deployment, **more)


def azure_refused():
    try:
        azure("my-whisper", response_format="docx")
    except openai.UnprocessableEntityError as error:
        return error.code
    return None


def result(call):
    try:
        return call()
    except Exception as error:  # an exception of the client is a result
        return {"raised": f"{type(error).__name__}: {error}"}


print(
    json.dumps(
        {
            "version": openai.__version__,
            "json": result(lambda: transcribe().text),
            "segments_as_json": result(lambda: transcribe(timestamp_granularities=["segment"]).text),
            "text": result(lambda: transcribe(response_format="text")),
            "srt": result(lambda: transcribe(response_format="srt")),
            "vtt": result(lambda: transcribe(response_format="vtt")),
            "verbose": result(verbose),
            "streamed": result(streamed),
            "chunking": result(lambda: transcribe(chunking_strategy={"type": "server_vad"}).text),
            "logprobs": result(logprobs),
            "extra": result(lambda: transcribe(extra_body={"user": "anyone", "vad_filter": True}).text),
            "models": result(lambda: [model.id for model in client.models.list()]),
            "model": result(lambda: client.models.retrieve("whisper-1").id),
            "azure": result(lambda: azure("my-whisper").text),
            "azure_verbose": result(lambda: azure("tiny.en", response_format="verbose_json").language),
            "azure_refused": result(azure_refused),
            "refused": result(refused),
            "translated": result(translated),
        }
    )
)
