"""An S3-compatible server on loopback, in place of object storage."""

import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from moto.server import ThreadedMotoServer

KEYS = {
    "AWS_ACCESS_KEY_ID": "somebody",
    "AWS_SECRET_ACCESS_KEY": "secret-of-somebody",
    "AWS_EC2_METADATA_DISABLED": "true",
}


class Storage:
    """A running server, and the URIs of what lies in its one bucket."""

    def __init__(self, server: ThreadedMotoServer):
        host, port = server.get_host_and_port()
        self.endpoint = f"{host}:{port}"
        self.options = f"endpoint_override={self.endpoint}&scheme=http&region=us-east-1"
        self.ask("PUT", "bucket")

    def uri(self, path: str) -> str:
        return f"s3://{path}?{self.options}"

    def ask(self, method: str, path: str, body: bytes = b"") -> bytes:
        url = f"http://{self.endpoint}/{path}"
        kind = {"Content-Type": "text/plain"}
        request = urllib.request.Request(url, body or None, kind, method=method)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """No credentials are good enough meanwhile."""
        self.ask("POST", "moto-api/reset-auth", b"0")
        try:
            yield
        finally:
            self.ask("POST", "moto-api/reset-auth", b"1000000000")


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in KEYS.items():
            patch.setenv(name, value)
        yield Storage(server)
    server.stop()
