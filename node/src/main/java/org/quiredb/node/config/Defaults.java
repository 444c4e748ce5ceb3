package org.quiredb.node.config;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/// Gives Jackson the value of each {@link Default}, and says that a key is required that has none
/// and may not be null.
final class Defaults {
    private Defaults() {}

    static ObjectMapper register(ObjectMapper mapper) {
        mapper.setAnnotationIntrospector(new Introspector());
        mapper.setInjectableValues(new Values(mapper.copy()));
        return mapper;
    }

    /// Threads: any.
    private static final class Introspector extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public JacksonInject.@Nullable Value findInjectableValue(AnnotatedMember member) {
            Default value = member.getAnnotation(Default.class);
            return value == null
                    ? super.findInjectableValue(member)
                    : JacksonInject.Value.construct(value.value(), true, null);
        }

        @Override
        public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
            if (member instanceof AnnotatedParameter parameter
                    && parameter.getDeclaringClass().isRecord()
                    && parameter.getOwner().getParameterCount()
                            == parameter.getDeclaringClass().getRecordComponents().length) {
                return required(parameter);
            }
            return super.hasRequiredMarker(member);
        }

        private static boolean required(AnnotatedParameter parameter) {
            RecordComponent component =
                    parameter.getDeclaringClass().getRecordComponents()[parameter.getIndex()];
            AnnotatedType type = component.getAnnotatedType();
            return !parameter.hasAnnotation(Default.class)
                    && !type.isAnnotationPresent(Nullable.class);
        }
    }

    private static final class Values extends InjectableValues {
        private final ObjectMapper mapper;

        Values(ObjectMapper mapper) {
            this.mapper = mapper;
        }

        @Override
        public Object findInjectableValue(
                DeserializationContext context,
                Object valueId,
                @Nullable BeanProperty property,
                @Nullable Object bean,
                @Nullable Boolean optional,
                @Nullable Boolean useInput)
                throws JsonMappingException {
            return value(context, String.valueOf(valueId), property);
        }

        @Override
        @Deprecated
        public Object findInjectableValue(
                Object valueId,
                DeserializationContext context,
                @Nullable BeanProperty property,
                @Nullable Object bean)
                throws JsonMappingException {
            return value(context, String.valueOf(valueId), property);
        }

        private Object value(
                DeserializationContext context, String text, @Nullable BeanProperty property)
                throws JsonMappingException {
            if (property == null) {
                throw new IllegalArgumentException("a default of no property: " + text);
            }
            try {
                return mapper.readValue(text, property.getType());
            } catch (JsonMappingException e) {
                throw e;
            } catch (JsonProcessingException e) {
                throw JsonMappingException.from(context, "bad default " + text, e);
            }
        }
    }
}
