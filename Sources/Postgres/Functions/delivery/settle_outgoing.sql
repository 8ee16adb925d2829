-- Records the result of a lease: sent, refused, or waiting for a retry unless the message has expired. A lost lease
-- changes nothing, except that a sent message counts as sent.
-- Locks: outbox, *note_delivery.
create or replace function settle_outgoing(
    p_id uuid, p_tries integer, p_state text, p_provider_id text, p_refusal text, p_retry_seconds double precision)
returns void language plpgsql as $$
declare
    retry_at timestamptz := now() + make_interval(secs => coalesce(p_retry_seconds, 0));
    settled record;
begin
    if p_state = 'waiting' then
        update outbox set not_before = retry_at, claimed_until = null, refusal = p_refusal
         where id = p_id and state = 'waiting' and tries = p_tries and retry_at < expires_at;
        if found then
            return;
        end if;
        p_state := 'given_up';
    end if;
    update outbox
       set state = p_state, sealed = null, detail = null, claimed_until = null, provider_id = p_provider_id, refusal = p_refusal,
           sent_at = case when p_state = 'sent' then now() end
     where id = p_id and state = 'waiting' and (tries = p_tries or p_state = 'sent')
    returning medium, address into settled;
    if found and p_state in ('sent', 'refused') then
        perform note_delivery(settled.medium, settled.address, p_state = 'sent', now());
    end if;
end $$;
