-- Stores whether messages reach an address or number. A bounce counts only if no later message was sent (`p_as_of`).
-- Forwarding that the user switched off stays off.
-- Locks: advisory delivery, account_emails, account_phones. Each report sees the one before.
create or replace function note_delivery(p_medium text, p_address text, p_arrives boolean, p_as_of timestamptz) returns void language plpgsql as $$
declare
    key text := lower(p_address collate "C");   -- the key of an address; a number has one spelling
begin
    perform pg_advisory_xact_lock(hashtextextended(key, 3));
    if not p_arrives and exists (select from outbox o where o.medium = p_medium and lower(o.address collate "C") = key
                                                        and o.state = 'sent' and o.sent_at > p_as_of) then
        return;
    end if;
    if p_medium = 'email' then
        update account_emails set undeliverable_since = case when not p_arrives then now() end
         where address_key = key and (undeliverable_since is null) <> p_arrives and forwarding_off_since is null;
    else
        update account_phones set undeliverable_since = case when not p_arrives then now() end
         where phone_key = key and (undeliverable_since is null) <> p_arrives;
    end if;
end $$;
