-- Records a bounce that the delivery service reported later, by our message id or theirs. A row still marked "sending"
-- counts as sent. Returns false for an unknown, unsent or already reported message.
-- Locks: outbox (for update), *note_delivery.
create or replace function record_bounce(p_medium text, p_id uuid, p_provider_id text, p_refusal text, p_address text, p_request text)
returns boolean language plpgsql as $$
declare
    message record;
begin
    select * into message from outbox o
     where o.medium = p_medium and (o.id = p_id or o.provider_id = p_provider_id)
       and (o.state = 'sent' or (o.state = 'waiting' and o.tries > 0))
     order by o.created_at desc limit 1 for update;
    if not found then
        return false;
    end if;
    update outbox set state = 'bounced', refusal = p_refusal, sealed = null, detail = null, claimed_until = null where id = message.id;
    insert into audit_inbox (action, outcome, reason, account_id, client_id, address, request_id, detail)
    values ('message_bounced', 'done', p_medium, message.account_id, message.client_id, p_address, p_request,
            jsonb_build_object('message', message.id, 'kind', message.kind));
    perform note_delivery(message.medium, message.address, false, coalesce(message.sent_at, now()));
    return true;
end $$;
