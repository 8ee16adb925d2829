"""The addresses of an account: added with a mailed code, removed, and made the main one."""

import urllib.parse

from .people import Person

_ADDRESSES = "/v1/account/addresses"


class Addresses:
    def add_address(self):
        person, session = self.session(Person.proved)
        if session is None:
            return
        address = self.fresh_address()
        reply = self.mailed("address_begin", _ADDRESSES, {"address": address}, address, bearer=session.access)
        if reply:
            answer = self.caller.call("add_address", "POST", f"{_ADDRESSES}/confirm", reply, bearer=session.access)
            if answer.done:
                self.record.spend(reply["flow"], answer.request)
                person.addresses.add(address)

    def change_address(self):
        """Removes an added address, or makes it the main one: both end every other session."""
        person, session = self.session(lambda one: one.proved() if one.addresses and one.is_sure("addresses") else [])
        if session is None:
            return
        address = self.random.choice(sorted(person.addresses))
        path, removes = f"{_ADDRESSES}/{urllib.parse.quote(address)}", self.random.random() < 0.5
        person.doubt_all(but=session, devices=False)
        with person.change("addresses"):
            if removes:
                answer = self.caller.call("remove_address", "DELETE", path, bearer=session.access)
            else:
                answer = self.caller.call("prefer_address", "PATCH", path, {"main": True}, bearer=session.access)
        if not self.expect(answer, f"a change of the address {address} was refused, of {person.account}"):
            return
        person.end_all(but=session, devices=False)
        if removes:
            person.addresses.remove(address)
            person.removed_addresses.add(address)
        if removes == (address == person.main):
            person.main = "" if removes else address
