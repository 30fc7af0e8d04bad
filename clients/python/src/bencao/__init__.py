"""A client of a Bencao (本草) server.

>>> from bencao import Client
>>> bencao = Client("https://plants.example", key_file="lab.key")
>>> for species in bencao.species("Panax"):
...     print(species["chineseName"], species["scientificName"])
>>> bencao.match(["Panax ginsen", "Salvia miltiorhiza Bge."])
"""

from .client import Client
from .errors import BencaoError, DataChanged, Problem
from .pages import Pages
from .prescriptions import prescriptions

__all__ = ["BencaoError", "Client", "DataChanged", "Pages", "Problem", "prescriptions"]
