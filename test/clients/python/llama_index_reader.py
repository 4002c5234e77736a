"""Runs LlamaIndex's WhisperReader and prints the results as a JSON object.

usage: llama_index_reader.py BASE_URL RECORDING
Only the base address is changed.
"""

import asyncio
import json
import os
import sys

from llama_index.core import SimpleDirectoryReader
from llama_index.readers.whisper import WhisperReader

base_url, recording = sys.argv[1:]


def reader(**more):
    return WhisperReader(api_key="not needed", client_kwargs={"base_url": base_url, "max_retries": 0}, **more)


def content():
    with open(recording, "rb") as file:
        return file.read()


def in_a_folder():
    """As a folder reader calls it, by file extension."""
    _, ending = os.path.splitext(recording)
    return SimpleDirectoryReader(input_files=[recording], file_extractor={ending: reader()}).load_data()


def refused():
    try:
        return reader(language="Klingon").load_data(recording)
    except Exception as error:
        return {"status": error.status_code, "code": error.code}


def texts(documents):
    return [document.text for document in documents]


print(
    json.dumps(
        {
            "path": texts(reader().load_data(recording)),
            "bytes": texts(reader().load_data(content())),
            "asynchronous": texts(asyncio.run(reader().aload_data(recording))),
            "options": texts(reader(prompt="Ada", model="gpt-4o-transcribe").load_data(recording, temperature=0.2)),
            "in_a_folder": texts(in_a_folder()),
            "refused": refused(),
        }
    )
)
